import { unknownValues } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment, RecordSelection } from '../cdr-filter.views.ts';
import { fewRecords, type Sources } from '../counts/stored.views.ts';
import { recordsIn } from './amounts.views.ts';
import {
  networkFactor,
  type RecordKey,
  type RecordRow,
  RecordSums,
  radioFactor,
} from './record-sums.rules.ts';
import type { Amounts, Distinct, Figures } from './sums.rules.ts';

export interface RecordSpan {
  selection: RecordSelection;
  /** Only the records of these sources are used. */
  sources: Sources;
  keys: readonly RecordKey[];
  /** The keys for which SIMs and sessions are counted, too. */
  counted: readonly RecordKey[];
  /** Seconds added to times. */
  offsetSeconds: number;
}

const daySeconds = 86_400;

/** Figures by each key from the records, which are streamed and not retained. */
export const readRecordSums = async (
  db: Db,
  { selection, sources, keys, counted, offsetSeconds }: RecordSpan,
  provisional: Date,
): Promise<Map<RecordKey, Map<string, Amounts & Distinct>>> => {
  const countries = keys.includes('country') ? await readCountries(db) : undefined;
  const countryOf = (plmn: number) => countries?.get(plmn) ?? unknownValues.country;
  const sums = new RecordSums({ keys, counted, offsetSeconds, provisional, countryOf });
  const byHour = keys.includes('hour') || offsetSeconds % daySeconds !== 0;
  const query = rowsOf(recordsIn(selection, sources.records), { byHour, provisional });
  const isFew = selection.simIds
    ? selection.simIds.length <= 1
    : sources.all > 0 && sources.all <= fewRecords;
  if (isFew) for (const row of (await query.execute(db)).rows) sums.add(row);
  else await forEachRow(db, query, (row) => sums.add(row));
  return sums.figures();
};

/** The country of each network. */
export const readCountries = async (db: Db): Promise<Map<number, string>> => {
  const { rows } = await sql<{ plmn: number; country: string }>`
    select plmn, country from networks where country is not null`.execute(db);
  return new Map(rows.map(({ plmn, country }) => [plmn, country]));
};

/** Rows by SIM and session. Times are reduced to days if hours don't matter; provisional records keep their hour. */
const rowsOf = (records: Fragment, { byHour, provisional }: { byHour: boolean; provisional: Date }) => {
  const since = sql`timestamptz '1970-01-01 00:00:00+00'`;
  const day = sql`date_bin('1 day', hour_at, ${since})`;
  return sql<RecordRow>`
    select ((date_part('epoch', start) / 3600)::bigint * ${sql.lit(networkFactor)} + plmn) * ${sql.lit(radioFactor)} + radio as kind,
      sim_id, session_key, count(*) as records, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
    from (select r.*, ${byHour ? sql`hour_at` : sql`case when hour_at >= ${provisional} then hour_at else ${day} end`} as start
      from (${records}) as r) as r
    group by start, plmn, radio, sim_id, session_key order by sim_id, session_key`;
};

/** Maximum number of rows in memory. */
const rowsPerFetch = 10_000;

const forEachRow = (
  db: Db,
  query: ReturnType<typeof rowsOf>,
  visit: (row: RecordRow) => void,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`declare records_by_session no scroll cursor for ${query}`.execute(tx);
    for (;;) {
      const { rows } = await sql<RecordRow>`fetch ${sql.lit(rowsPerFetch)} from records_by_session`.execute(
        tx,
      );
      for (const row of rows) visit(row);
      if (rows.length < rowsPerFetch) return;
    }
  });

/** Figures of the SIMs with the most usage, up to a maximum. Sessions are summed first, so that none is counted twice. */
export const readSimRecordSums = async (
  db: Db,
  { records, provisional, limit }: { records: Fragment; provisional: Date; limit: number },
): Promise<Figures> => {
  const late = sql`filter (where hour_at >= ${provisional})`;
  const { rows } = await sql<Amounts & Distinct & { name: string }>`
    select sim_id::text as name, sum(records)::bigint as records, sum(up_bytes)::bigint as up_bytes,
      sum(down_bytes)::bigint as down_bytes, sum(late_records)::bigint as late_records,
      sum(late_up_bytes)::bigint as late_up_bytes, sum(late_down_bytes)::bigint as late_down_bytes,
      1 as sims, count(session_key) as sessions
    from (
      select sim_id, session_key, count(*) as records, sum(up_bytes) as up_bytes, sum(down_bytes) as down_bytes,
        count(*) ${late} as late_records, coalesce(sum(up_bytes) ${late}, 0) as late_up_bytes,
        coalesce(sum(down_bytes) ${late}, 0) as late_down_bytes
      from (${records}) as r group by 1, 2) as s
    group by sim_id order by sum(up_bytes + down_bytes) desc, 1 limit ${limit}`.execute(db);
  return new Map(rows.map(({ name, ...figures }) => [name, figures]));
};
