import { limits } from '@simcube/contract';
import type { CdrColumn, CdrGroup, CdrId } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { type Db, inlineParameters } from '../../../platform/db/index.ts';
import { countRows } from '../../../platform/lists/index.ts';
import { simsBy } from '../../sim/index.ts';
import { and, type Fragment, recordConditions, resolveFilter } from '../cdr-filter.views.ts';
import { cdrList } from '../cdr-list.views.ts';
import { partsOfId } from '../cdr-rows.views.ts';
import { narrowToPage } from '../counts/narrowed.views.ts';
import { orderOfRecord } from '../orders.views.ts';
import { readGroups } from '../sums/sums.views.ts';
import { type CdrExport, type CdrForm, columnSql } from './cdr-export-cells.ts';

export interface ExportQuery {
  orgId: number;
  what: CdrExport['what'];
  now: Date;
}

/** The number of rows in the file, counted up to `limit`. */
export const countExported = async (
  db: Db,
  { orgId, what, now, limit }: ExportQuery & { limit: number },
): Promise<number> => {
  const scope = { orgId };
  if (what.rows === 'chosen') {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${chosenOf(orgId, what.records)}) as c`.execute(db);
    return rows[0]?.count ?? 0;
  }
  if (what.rows === 'record') return countRows(db, cdrList, { scope, filter: what.filter, now, most: limit });
  return (await readGroups(db, { scope, filter: what.filter, now, grouping: what.rows, limit })).length;
};

/** The records of a file as lines of CSV, latest first, in chunks of arbitrary size. */
export const copyRecords = async (
  client: pg.PoolClient,
  db: Db,
  { columns, form, ...request }: ExportQuery & { columns: readonly CdrColumn[]; form: CdrForm },
): Promise<CopyToStreamQuery> => {
  const texts = columnSql(form);
  const records = await recordsOf(db, request);
  // Selected first: joined directly, a cluster would move all SIMs to the records.
  const query = sql`
    with c as materialized (
      select * from ${records} order by c.ended_at desc, c.sim_id desc, c.dedupe_key desc limit ${limits.exportRows + 1})
    select ${sql.raw(columns.map((column) => texts[column]).join(', '))}
    from c join sims s on s.id = c.sim_id left join networks n on n.plmn = c.plmn
    ${columns.includes('bundle') ? orderOfRecord(request.orgId) : sql``}
    order by c.ended_at desc, c.sim_id desc, c.dedupe_key desc`;
  return client.query(copyTo(`copy (${inlineParameters(query.compile(db))}) to stdout with (format csv)`));
};

const recordsOf = async (db: Db, { orgId, what, now }: ExportQuery): Promise<Fragment> => {
  if (what.rows === 'chosen') return sql`(${chosenOf(orgId, what.records)}) as c`;
  const selection = await resolveFilter(db, { scope: { orgId }, filter: what.filter, now });
  const place = {
    descending: true,
    after: undefined,
    rows: limits.exportRows + 1,
    skipped: 0,
    countLimit: 0,
  };
  const { from = sql`cdrs as c` } = await narrowToPage(db, { selection, ...place });
  return sql`(select c.* from ${from} where ${and(recordConditions(selection))}) as c`;
};

/** Sums by SIM, or by day and operator, for a file. */
export const readSummed = (
  db: Db,
  { orgId, what, now, limit }: ExportQuery & { limit: number },
): Promise<CdrGroup[]> =>
  what.rows === 'sim' || what.rows === 'day_operator'
    ? readGroups(db, { scope: { orgId }, filter: what.filter, now, grouping: what.rows, limit })
    : Promise.resolve([]);

/** The chosen records that belong to the organisation. */
const chosenOf = (orgId: number, ids: readonly CdrId[]): Fragment => {
  const parts = ids.map(partsOfId);
  return sql`
    with chosen as materialized (
      select distinct i.sim_id, timestamptz '1970-01-01 00:00:00+00' + v.ended * interval '1 microsecond' as ended_at,
        v.key as dedupe_key
      from unnest(${parts.map(({ iccid }) => iccid)}::text[], ${parts.map(({ endedUs }) => endedUs)}::bigint[],
        ${parts.map(({ key }) => key)}::bigint[]) as v (iccid, ended, key)
      join ${sql.raw(simsBy('iccid'))} i on i.value = v.iccid)
    select cdrs.* from chosen join cdrs using (sim_id, ended_at, dedupe_key) where cdrs.org_id = ${orgId}`;
};
