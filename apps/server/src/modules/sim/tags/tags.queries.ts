import type { Sql } from '../../../platform/db/index.ts';

/** `{"a","b"}`: an array as text, because rows of a nested array must have equal length. */
export const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

const addTo = `
  on conflict (org_id, tag) do update set sims = org_tags.sims + excluded.sims`;

/** Counts the changes of SIMs' tags; arrays are passed as text. */
export const countTagChanges = async (
  tx: Sql,
  orgId: number,
  changes: readonly { before: readonly string[]; after: readonly string[] }[],
): Promise<void> => {
  const sums = new Map<string, number>();
  const add = (tags: readonly string[], by: number) => {
    for (const tag of new Set(tags)) sums.set(tag, (sums.get(tag) ?? 0) + by);
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  const changed = [...sums].filter(([, sum]) => sum !== 0);
  if (changed.length === 0) return;
  await tx.query(
    `insert into org_tags (org_id, tag, sims)
     select $1, tag, change from unnest($2::text[], $3::bigint[]) as c (tag, change) order by tag collate "C" ${addTo}`,
    [orgId, changed.map(([tag]) => tag), changed.map(([, sum]) => sum)],
  );
};

/** Moves the tags of SIMs from one organisation's counts to another's. */
export const moveTagCounts = async (
  tx: Sql,
  { simIds, from, to }: { simIds: readonly number[]; from: number; to: number },
): Promise<void> => {
  await tx.query(
    `insert into org_tags (org_id, tag, sims)
     select side.org_id, own.tag, sum(side.change)
     from sims s cross join lateral (select distinct unnest(s.tags) as tag) as own
       cross join (values ($2::bigint, -1), ($3::bigint, 1)) as side (org_id, change)
     where s.id = any($1::bigint[]) group by 1, 2 order by 1, 2 ${addTo}`,
    [simIds, from, to],
  );
};

/** Counts the tags of imported rows in the staging table. */
export const countImportedTags = async (tx: Sql, stagingTable: 'sim_import_rows'): Promise<void> => {
  await tx.query(
    `insert into org_tags (org_id, tag, sims)
     select r.org_id, own.tag, count(*)
     from ${stagingTable} r cross join lateral (select distinct unnest(r.tags) as tag) as own
     group by 1, 2 order by 1, 2 ${addTo}`,
  );
};

/** Deletes tags that no SIM has. */
export const deleteUnusedTags = async (sql: Sql): Promise<void> => {
  await sql.query('delete from org_tags where sims <= 0');
};
