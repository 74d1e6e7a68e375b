import { limits } from '@simcube/contract';
import type { CdrCell, CdrFilter } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { and, type CdrScope, listNetworks, recordConditions, resolveFilter } from './cdr-filter.views.ts';

/** Countries with usage, by code, with their number of operators. */
export const listCountries = async (
  db: Db,
  orgId: number,
): Promise<{ country: string; operators: number }[]> => {
  const counts = new Map<string, number>();
  for (const { country } of await listNetworks(db, orgId)) {
    counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  return [...counts].map(([country, operators]) => ({ country, operators })).toSorted(byCountry);
};

const byCountry = (a: { country: string }, b: { country: string }): number =>
  a.country < b.country ? -1 : 1;

export const listOperators = async (
  db: Db,
  orgId: number,
): Promise<{ operator: string; name: string | null; country: string }[]> =>
  (await listNetworks(db, orgId)).map(({ code, name, country }) => ({ operator: code, name, country }));

/** Cells in which records ended, most usage first. */
export const listCells = async (
  db: Db,
  query: { scope: CdrScope; filter: CdrFilter; now: Date },
): Promise<CdrCell[]> => {
  const selection = await resolveFilter(db, query);
  const { rows } = await sql<Omit<CdrCell, 'last_seen_at'> & { last_seen_at: Date }>`
    select u.*, p.latitude, p.longitude from (
      select c.cell, count(*) as records, sum(c.up_bytes)::bigint as up_bytes, sum(c.down_bytes)::bigint as down_bytes,
        count(distinct c.sim_id) as sims, max(c.ended_at) as last_seen_at
      from cdrs c where ${and(recordConditions(selection))} and c.cell is not null
      group by c.cell order by sum(c.up_bytes + c.down_bytes) desc, c.cell limit ${limits.cdrs.cells}) as u
    left join cells p on p.cell = u.cell order by u.up_bytes + u.down_bytes desc, u.cell`.execute(db);
  return rows.map((row) => ({ ...row, last_seen_at: row.last_seen_at.toISOString() }));
};
