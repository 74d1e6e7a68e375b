import { chmod, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '@simcube/contract/time';
import { withClient } from './cluster.ts';
import { type Duck, openDuck, recordColumns } from './duck.ts';
import type { Fleet } from './fleet.ts';
import { readKept, writeKept } from './kept-data.ts';

/** One record in this many has a rare value. */
const rareEvery = 20_000;
export const rareApn = 'rare.example';
export const frequentApn = 'iot.example';
export const rareOperator = '998-99';
export const rareCountry = 'IS';
/** Disk space per record during creation: the table with its indexes, data computed from it, and the Parquet file. */
const bytesPerRecord = 1000;

/** The requested number of records, or fewer if the disk is too small. */
export const recordsThatFit = async (directory: string, requested: number): Promise<number> => {
  const { bavail, bsize } = await statfs(directory);
  const capacity = Math.floor((bavail * bsize * 0.7) / bytesPerRecord);
  const reducedCount = 20_000_000;
  if (requested <= capacity) return requested;
  if (requested <= reducedCount || reducedCount > capacity) {
    throw new Error(`The disk has room for ${capacity.toLocaleString('en-US')} CDRs; see --cdrs`);
  }
  return reducedCount;
};

const countries = [
  'DE',
  'ES',
  'FR',
  'PL',
  'IT',
  'NL',
  'BE',
  'AT',
  'CH',
  'CZ',
  'PT',
  'SE',
  'NO',
  'DK',
  'FI',
  'GB',
];
const networks = 32;

const networksSql = `
  insert into networks (plmn, mcc, mnc, operator, country)
  select 998000 + n, '998', lpad(n::text, 2, '0'), 'Network ' || n, ($1::text[])[1 + (n - 1) / 2]
  from generate_series(1, ${networks}) as n
  union all select 998099, '998', '99', 'Rare', '${rareCountry}' on conflict do nothing`;

/**
 * Records of a day. One percent of the SIMs have a third of them; each SIM is mostly in one network with one radio type, and has
 * one APN and one session per day; one record in a hundred is from a file.
 */
const daySql = `
  select sim_id, to_char(ended_at, 'YYYY-MM-DD HH24:MI:SS.US') as ended_at,
    case when rare = 1 then 998099 when roaming < 0.05 then 998001 + floor(roaming * 20 * ${networks})::int
      else 998001 + floor(${networks} * power((sim_id * 7919 % 1000) / 1000.0, 3))::int end as plmn,
    case when rare = 2 then 1 when roaming > 0.9 then 3 else (array[3, 3, 5, 6])[1 + sim_id * 31 % 4] end as radio,
    case when chance < 0.01 then 2 else 1 end as source,
    case when rare = 3 then '${rareApn}' when sim_id % 10 = 0 then 'm2m.example' else '${frequentApn}' end as apn,
    sim_id * 1000 + DAY as session_key,
    (1000000 * power(roaming, 4))::bigint as up_bytes, (9000000 * power(chance, 4))::bigint as down_bytes,
    DAY::bigint * 10000000 + i as dedupe_key,
    to_char(ended_at - interval '10 minutes', 'YYYY-MM-DD HH24:MI:SS') as started_at,
    ORG as org_id, '998-01-' || sim_id % 50000 as cell
  from (
    select i, i % ${rareEvery} as rare, FIRST + floor(random() * SIMS
        * case when i % 3 = 0 then 0.01 else 1 end)::bigint as sim_id,
      timestamp 'START' + random() * interval '1 day' as ended_at, random() as roaming, random() as chance
    from generate_series(1, COUNT) as i) as made
  order by ended_at`;

/** Rollups that intake would have computed for the organisation from records between two instants. */
export const rollups = [
  `insert into org_usage_hourly (org_id, hour_at, plmn, radio, up_bytes, down_bytes, records)
   select org_id, date_trunc('hour', ended_at, 'UTC'), plmn, radio, sum(up_bytes), sum(down_bytes), count(*)
   from cdrs where ended_at >= $1 and ended_at < $2 group by 1, 2, 3, 4`,
  // Days of an organisation begin at 16:00 UTC.
  `insert into org_usage_daily as t (org_id, day_on, plmn, radio, up_bytes, down_bytes, records)
   select org_id, ((hour_at + interval '8 hours') at time zone 'UTC')::date, plmn, radio, sum(up_bytes), sum(down_bytes),
     sum(records)
   from org_usage_hourly where hour_at >= $1 and hour_at < $2 group by 1, 2, 3, 4
   on conflict (org_id, day_on, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
     down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`,
];

export interface CdrRecords {
  count: number;
  /** End of the records: the first instant without records. */
  end: Date;
  /** Number of days before it with records. */
  days: number;
  duck: Duck;
}

interface KeptRecords {
  count: number;
  days: number;
  /** Milliseconds since 1970. */
  end: number;
}

/** Records that an earlier run has left in its directory; undefined if there are none. */
export const readKeptRecords = async (directory: string): Promise<CdrRecords | undefined> => {
  const kept = await readKept<KeptRecords>(directory, 'records');
  return kept && { ...kept, end: new Date(kept.end), duck: await openDuck(recordsDirectory(directory)) };
};

export const writeKeptRecords = (directory: string, { count, days, end }: CdrRecords): Promise<void> =>
  writeKept(directory, 'records', { count, days, end: end.getTime() } satisfies KeptRecords);

/** Directory of the Parquet files, which are kept with the database. */
const recordsDirectory = (directory: string): string => join(directory, 'cdrs');

/** Fills days up to midnight (UTC): each day is generated as a file, which both databases load. */
export const makeRecords = async (
  fleet: Fleet,
  {
    directory,
    count,
    days,
    sims,
    progress,
  }: { directory: string; count: number; days: number; sims: number; progress: (text: string) => void },
): Promise<CdrRecords> => {
  const files = recordsDirectory(directory);
  await mkdir(files, { recursive: true });
  // The database writes there as another user.
  await chmod(files, 0o777);
  const duck = await openDuck(files);
  const end = new Date(Math.floor(Date.now() / dayMs) * dayMs);
  const perDay = Math.floor(count / days);
  await withClient(fleet.databaseUrl, async (client) => {
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
    );
    await client.query('select setseed(0.5)');
    await client.query(networksSql, [countries]);
    // Created afterwards, which is several times as fast.
    await client.query('drop index cdrs_org_idx');
    const { rows } = await client.query<{ first: number }>('select min(id)::int as first from sims');
    const options = { fleet, sims, perDay, first: rows[0]?.first ?? 1 };
    for (let daysAgo = days; daysAgo > 0; daysAgo -= 1) {
      if (daysAgo % 20 === 0) progress(`CDRs, ${daysAgo} days to go`);
      const start = new Date(end.getTime() - daysAgo * dayMs);
      const csv = join(files, 'day.csv');
      await client.query(
        `copy (${dayQuery({ ...options, start, day: days - daysAgo })}) to '${csv}' (format csv)`,
      );
      await client.query(`copy cdrs (${Object.keys(recordColumns).join(', ')}) from '${csv}' (format csv)`);
      await duck.addDay(csv, start.toISOString().slice(0, 10));
      for (const rollup of rollups) await client.query(rollup, [start, new Date(start.getTime() + dayMs)]);
    }
    await rm(join(files, 'day.csv'));
    progress('indexing CDRs');
    await client.query('create index cdrs_org_idx on cdrs (org_id, ended_at)');
    await client.query('vacuum (analyze) cdrs, org_usage_hourly, org_usage_daily, networks');
  });
  return { count: perDay * days, end, days, duck };
};

interface DayOptions {
  fleet: Fleet;
  sims: number;
  perDay: number;
  /** The lowest SIM id; the others follow without gaps. */
  first: number;
  start: Date;
  /** Counted from 0. */
  day: number;
}

const dayQuery = ({ fleet, sims, perDay, first, start, day }: DayOptions): string =>
  daySql
    .replaceAll('DAY', String(day))
    .replace('ORG', String(fleet.orgId))
    .replace('FIRST', String(first))
    .replace('SIMS', String(sims))
    .replace('START', start.toISOString().slice(0, 10))
    .replace('COUNT', String(perDay));
