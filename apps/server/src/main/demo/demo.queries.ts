import type pg from 'pg';
import { connectionNumbers, recordSimEvents, simEvent } from '../../modules/sim/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import type { DailyFigures, ImeiChange, LastSeen } from './demo-ledger.ts';
import type { DemoSim } from './demo-plan.ts';

/** How far the seed has come: steps are done once, each with its mark in its own transaction. */
export type DemoMark = 'started' | 'stocked' | 'done';

export interface DemoState {
  mark: DemoMark;
  /** The moment that the demonstration's past ends at; kept, so that a seed that goes on makes the same past. */
  at: Date;
}

export const findState = async (sql: Sql): Promise<DemoState | undefined> => {
  const { rows } = await sql.query<{ key: string; value: string }>(
    `select key, value from installation where key in ('demo', 'demo_at')`,
  );
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  const [mark, at] = [values.get('demo'), values.get('demo_at')];
  return mark && at ? { mark: mark as DemoMark, at: new Date(at) } : undefined;
};

export const saveState = async (tx: Sql, { mark, at }: DemoState): Promise<void> => {
  await tx.query(
    `insert into installation (key, value) values ('demo', $1), ('demo_at', $2)
     on conflict (key) do update set value = excluded.value, set_at = now()`,
    [mark, at.toISOString()],
  );
};

/** Any number that no other use of advisory locks in this database has. */
const seedLock = 7_341_900_002;

/** Runs the work while no other process does: of several that start together, one makes the demonstration. */
export const alone = async <T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> => {
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [seedLock]);
    return await work();
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [seedLock]).catch(() => undefined);
    lock.release();
  }
};

/** A demonstration is only made where there is nothing yet. */
export const isEmpty = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ empty: boolean }>(
    'select not exists (select 1 from organisations) and not exists (select 1 from users) as empty',
  );
  return rows[0]?.empty ?? false;
};

export const findSimIds = async (tx: Sql, plan: readonly DemoSim[]): Promise<Map<string, number>> => {
  const { rows } = await tx.query<{ iccid: string; id: number }>(
    'select iccid, id from sims where iccid = any($1::text[])',
    [plan.map(({ device }) => device.iccid)],
  );
  return new Map(rows.map(({ iccid, id }) => [iccid, id]));
};

/** The SIMs came with their shipment, not with the seed. */
export const backdateSims = async (tx: Sql, plan: readonly DemoSim[]): Promise<void> => {
  await tx.query(
    `update sims s set created_at = t.shipped_at, lifecycle_changed_at = t.shipped_at
     from unnest($1::text[], $2::timestamptz[]) as t (iccid, shipped_at) where s.iccid = t.iccid`,
    [plan.map(({ device }) => device.iccid), plan.map(({ shippedAt }) => shippedAt)],
  );
};

export const insertFigures = async (tx: Sql, figures: readonly DailyFigures[]): Promise<void> => {
  await tx.query(
    `insert into org_daily_figures (org_id, day_on, total_sims, active_sims, overage_sims, expiring_sims)
     select o.id, t.day_on, t.total, t.active, t.overage, t.expiring
     from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       as t (code, day_on, total, active, overage, expiring)
     join organisations o on o.code = t.code
     on conflict (org_id, day_on) do nothing`,
    [
      figures.map(({ orgCode }) => orgCode),
      figures.map(({ day }) => day),
      figures.map(({ totalSims }) => totalSims),
      figures.map(({ activeSims }) => activeSims),
      figures.map(({ overageSims }) => overageSims),
      figures.map(({ expiringSims }) => expiringSims),
    ],
  );
};

export const recordImeiChanges = async (tx: Sql, changes: readonly ImeiChange[]): Promise<void> => {
  const { rows } = await tx.query<{ simId: number; orgId: number; at: Date; from: string; to: string }>(
    `with changed as (
       select s.id, s.org_id, t.at, t.former, t.latter
       from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) as t (iccid, at, former, latter)
       join sims s on s.iccid = t.iccid),
     last as (
       update sims s set imei_changed_at = l.at from (select id, max(at) as at from changed group by id) l
       where s.id = l.id)
     select id as "simId", org_id as "orgId", at, former as "from", latter as "to" from changed`,
    [
      changes.map(({ iccid }) => iccid),
      changes.map(({ at }) => at),
      changes.map(({ from }) => from),
      changes.map(({ to }) => to),
    ],
  );
  await recordSimEvents(
    tx,
    rows.map(({ from, to, ...where }) => ({ ...where, ...simEvent('imei-changed', { from, to }) })),
  );
};

/** Where each SIM was last, as its last session would have left it. */
export const updateLastSeen = async (tx: Sql, seen: readonly LastSeen[]): Promise<void> => {
  await tx.query(
    `update sim_live l set connection = ${connectionNumbers.offline}, connection_since = t.at, last_seen_at = t.at, last_session_at = t.at,
       plmn = t.mcc::int * 1000 + t.mnc::int, imei = t.imei
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[]) as t (iccid, at, mcc, mnc, imei)
     join sims s on s.iccid = t.iccid
     where l.sim_id = s.id and (l.last_seen_at is null or l.last_seen_at < t.at)`,
    [
      seen.map(({ iccid }) => iccid),
      seen.map(({ at }) => at),
      seen.map(({ mcc }) => mcc),
      seen.map(({ mnc }) => mnc),
      seen.map(({ imei }) => imei),
    ],
  );
};
