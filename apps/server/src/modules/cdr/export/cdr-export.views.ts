import type { Cdr, CdrGroup, CdrId } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { countRows, readAll } from '../../../platform/lists/index.ts';
import { cdrList } from '../cdr-list.views.ts';
import { type CdrColumns, cdrColumns, partsOfId, showCdrs } from '../cdr-rows.views.ts';
import { readGroups } from '../sums/sums.views.ts';
import type { CdrExport } from './cdr-export-cells.ts';

export interface ExportQuestion {
  orgId: number;
  what: CdrExport['what'];
  now: Date;
}

const rowsAtOnce = 5000;

/** How many rows the file will have, counted no further than `most`. */
export const countExported = async (
  db: Db,
  { orgId, what, now, most }: ExportQuestion & { most: number },
): Promise<number> => {
  const scope = { orgId };
  if (what.rows === 'chosen') return (await findChosen(db, orgId, what.records)).length;
  if (what.rows === 'record') return countRows(db, cdrList, { scope, filter: what.filter, now, most });
  return (await readGroups(db, { scope, filter: what.filter, now, grouping: what.rows, most })).length;
};

/** The records of a file, so many at a time, the latest first. */
export async function* readRecords(
  db: Db,
  { orgId, what, now }: ExportQuestion,
): AsyncIterable<readonly Cdr[]> {
  if (what.rows === 'chosen') {
    yield await showCdrs(db, { orgId, now, rows: await findChosen(db, orgId, what.records) });
  } else {
    yield* readAll(db, cdrList, { scope: { orgId }, filter: what.filter, now, atOnce: rowsAtOnce });
  }
}

/** Sums by SIM, or by day and operator, for a file. */
export const readSummed = (
  db: Db,
  { orgId, what, now, most }: ExportQuestion & { most: number },
): Promise<CdrGroup[]> =>
  what.rows === 'sim' || what.rows === 'day_operator'
    ? readGroups(db, { scope: { orgId }, filter: what.filter, now, grouping: what.rows, most })
    : Promise.resolve([]);

/** The chosen records that are the organisation's, the latest first. */
const findChosen = async (db: Db, orgId: number, ids: readonly CdrId[]): Promise<CdrColumns[]> => {
  const parts = ids.map(partsOfId);
  const { rows } = await sql<CdrColumns>`
    select ${cdrColumns} from (
      select distinct s.id as sim_id, timestamptz '1970-01-01 00:00:00+00' + v.ended * interval '1 microsecond' as ended_at,
        v.key as dedupe_key
      from unnest(${parts.map(({ iccid }) => iccid)}::text[], ${parts.map(({ endedUs }) => endedUs)}::bigint[],
        ${parts.map(({ key }) => key)}::bigint[]) as v (iccid, ended, key)
      join sims s on s.iccid = v.iccid) as chosen
    join cdrs using (sim_id, ended_at, dedupe_key)
    where org_id = ${orgId} order by ended_at desc, sim_id desc, dedupe_key desc`.execute(db);
  return rows;
};
