import type { SimRow } from '@simcube/contract/sim';
import { sql } from 'kysely';
import { addDays, daysFrom, usageDays } from '../../../platform/clock/business-day.ts';
import type { Db } from '../../../platform/db/index.ts';
import { ownDays } from '../own-usage/own-usage.views.ts';
import { usesPoolLimit } from '../pool-limit.views.ts';
import { connectionOf, lifecycleOf, networkOf } from '../sim.rules.ts';
import { amountOf, type FindCosts, type FindOverdue } from '../sim.views.ts';
import { dataOf } from '../sim-data.rules.ts';
import { dataColumns } from '../sim-data.views.ts';
import { matchesOf } from './sim-match.rules.ts';

/** Days of the small chart in each row, including today. */
const weekDays = 7;

interface RowsQuery {
  ids: readonly number[];
  now: Date;
  findOverdue: FindOverdue | undefined;
  costsOf: (iccids: readonly string[]) => ReturnType<FindCosts> | undefined;
  /** The search that found them. */
  search: string | undefined;
}

/**
 * The rows of a page, in the order of `ids`: tables are joined for these SIMs only, and their last days read at
 * once.
 */
export const listRows = async (
  db: Db,
  { ids, now, findOverdue, costsOf, search }: RowsQuery,
): Promise<SimRow[]> => {
  if (ids.length === 0) return [];
  const today = usageDays.dayOf(now);
  const days = daysFrom(addDays(today, 1 - weekDays), today);
  const [rows, usage, overdue] = await Promise.all([
    readRows(db, ids),
    readDays(db, { ids, days }),
    findOverdue?.(ids, now),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const transferred = rows.filter(
    ({ owned_since: since }) => since && usageDays.dayOf(since) >= (days[0] ?? ''),
  );
  const [ownUsage, costs] = await Promise.all([
    readOwnDays(db, { sims: transferred, days }),
    costsOf(rows.map(({ iccid }) => iccid)),
  ]);
  const transferredIds = new Set(transferred.map(({ id }) => id));
  const bytesOf = new Map(
    [...usage.filter(({ sim_id }) => !transferredIds.has(sim_id)), ...ownUsage].map((row) => [
      `${row.sim_id} ${row.day_on}`,
      Number(row.bytes),
    ]),
  );
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const week_bytes = days.map((day) => bytesOf.get(`${id} ${day}`) ?? 0);
    const matched = search ? { matched: matchesOf(search, row) } : {};
    const cost = amountOf(costs?.get(row.iccid));
    const network_overdue = overdue?.get(id) ?? null;
    return [{ ...toRow(row), cost, network_overdue, data: dataOf(row, now), week_bytes, ...matched }];
  });
};

const readRows = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('sims as s')
    .innerJoin('sim_live as l', 'l.sim_id', 's.id')
    .leftJoin('networks as n', 'n.plmn', 'l.plmn')
    .leftJoin('bundles as b', 'b.id', 's.bundle_id')
    .select(['s.id', 's.iccid', 's.imsi', 's.msisdn', 's.last_imei', 's.device_name', 's.lifecycle', 's.apn'])
    .select([
      's.activated_at',
      's.expires_at',
      's.tags',
      's.org_id',
      's.owned_since',
      'b.name as bundle_name',
    ])
    .select(['s.notes', 's.delivery_note_number', 's.shipment_on', 's.chip_grade', 's.technology'])
    .select(['l.connection', 'l.last_session_at', 'l.used_bytes', 'l.limit_bytes'])
    .select(sql.raw<boolean>(usesPoolLimit).as('uses_pool_limit'))
    .select(dataColumns)
    .select(['l.plmn', 'l.radio', 'n.mcc', 'n.mnc', 'n.operator', 'n.country'])
    .select(['s.sms_suspended', sql<string | null>`host(coalesce(l.ip, s.fixed_ip))`.as('ip')])
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .execute();

type RowColumns = Awaited<ReturnType<typeof readRows>>[number];

interface DayBytes {
  sim_id: number;
  day_on: string;
  bytes: string;
}

const readDays = async (db: Db, { ids, days }: { ids: readonly number[]; days: readonly string[] }) => {
  const { rows } = await sql<DayBytes>`
    select sim_id, day_on, sum(bytes) as bytes from (
      select sim_id, day_on, up_bytes + down_bytes as bytes from usage_daily
      where sim_id = any(${ids}::bigint[]) and day_on between ${days[0]}::date and ${days.at(-1)}::date
      union all
      select sim_id, (open_hour_at at time zone 'UTC')::date, open_up_bytes + open_down_bytes from sim_live
      where sim_id = any(${ids}::bigint[])
        and (open_hour_at at time zone 'UTC')::date between ${days[0]}::date and ${days.at(-1)}::date) as u
    group by sim_id, day_on`.execute(db);
  return rows;
};

/** The same for SIMs that came from another organisation during these days, which used a part: rarely any. */
const readOwnDays = async (
  db: Db,
  { sims, days }: { sims: readonly RowColumns[]; days: readonly string[] },
): Promise<DayBytes[]> => {
  const orgs = new Set(sims.map((sim) => sim.org_id));
  const found = [...orgs].map(async (orgId) => {
    const used = ownDays(sql, {
      sims: sims.flatMap((sim) => (sim.org_id === orgId ? [sim.id] : [])),
      orgId,
      from: days[0],
      until: addDays(days.at(-1) ?? '', 1),
    });
    const { rows } = await sql<DayBytes>`
      select u.sim_id, u.day_on, sum(u.up_bytes + u.down_bytes) as bytes from (${used}) as u
      group by u.sim_id, u.day_on`.execute(db);
    return rows;
  });
  return (await Promise.all(found)).flat();
};

const toRow = (row: RowColumns): Omit<SimRow, 'cost' | 'week_bytes' | 'network_overdue' | 'data'> => ({
  iccid: row.iccid,
  imsi: row.imsi,
  msisdn: row.msisdn,
  last_imei: row.last_imei,
  device_name: row.device_name,
  lifecycle: lifecycleOf(row.lifecycle),
  status: row.lifecycle,
  connection: connectionOf(row.connection),
  network: networkOf(row),
  apn: row.apn,
  ip: row.ip,
  last_session_at: row.last_session_at?.toISOString() ?? null,
  cycle_usage_bytes: row.used_bytes,
  limit_bytes: row.limit_bytes,
  uses_pool_limit: row.uses_pool_limit,
  bundle_name: row.bundle_name,
  activated_at: row.activated_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  tags: row.tags,
  notes: row.notes,
  delivery_note_number: row.delivery_note_number,
  shipment_on: row.shipment_on,
  chip_grade: row.chip_grade as SimRow['chip_grade'],
  technology: row.technology as SimRow['technology'],
  sms_suspended: row.sms_suspended,
});
