import { connectionNumbers, recordSimEvents, simEvent } from '../modules/sim/index.ts';
import type { TestApp } from './app.ts';
import { storeMessages } from './messages.ts';

/**
 * What happens to a SIM while it is one organisation's: traces of all kinds, each with a mark that no other time has, so
 * that an answer shows whose traces are in it.
 */
export interface Marks {
  staff: string;
  task: string;
  session: string;
  apn: string;
  ip: string;
  imei: string;
  cell: string;
  operator: string;
  bytes: string;
  cycle: string;
  sales: string;
  bundle: string;
  refusals: string;
  message: string;
  seen: string;
}
export type MarkKind = keyof Marks;

export interface Era {
  name: string;
  orgId: number;
  at: string;
  number: number;
  country: string;
  /** Reason of a refused request, and its words in a report. */
  refusal: readonly [reason: string, words: string];
}

const two = (number: number): string => String(number).padStart(2, '0');

export const marksOf = ({ name, at, number, refusal }: Era): Marks => ({
  staff: `${name}-STAFF`,
  task: `${name}-TASK`,
  session: `${name}-SESSION`,
  apn: `${name.toLowerCase()}.apn`,
  ip: `10.77.0.${number}`,
  imei: `4901542032375${two(number)}`,
  cell: `999-${two(number)}-77-1`,
  operator: `${name}-OPERATOR`,
  bytes: String(1_000_003 * number),
  cycle: String(7_000_017 * number),
  sales: `${name}-SALES`,
  bundle: `${name}-BUNDLE`,
  refusals: refusal[1],
  message: `${name}-MESSAGE`,
  seen: at,
});

/** Makes the traces, as those who write them would. Usage is counted in the hour and the day of the instant. */
export const leaveTraces = async (
  { database: { pool } }: Pick<TestApp, 'database'>,
  simId: number,
  era: Era,
): Promise<void> => {
  const { orgId, at, number, country, name } = era;
  const marks = marksOf(era);
  const plmn = 999_000 + number;
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values ($1, '999', $2, $3, $4)`,
    [plmn, two(number), marks.operator, country],
  );
  await pool.query(`insert into cells (cell, latitude, longitude) values ($1, $2, 7)`, [marks.cell, number]);
  const own = { simId, orgId, at: new Date(at) };
  await recordSimEvents(
    pool,
    [{ ...own, ...simEvent('lifecycle-changed', { from: 'active', to: 'paused', reason: 'suspend' }) }],
    { actor: marks.staff, taskId: marks.task },
  );
  await recordSimEvents(pool, [
    { ...own, ...simEvent('imei-changed', { from: `${name}-OLD`, to: marks.imei }) },
  ]);
  await storeMessages(pool, { simId, orgId, at, content: marks.message });
  await pool.query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id, started_at,
       updated_at, stopped_at, up_bytes, down_bytes, ip, apn, plmn, radio, imei, cell)
     values ($1, $2, $3, 0, 'gw', '10.9.9.9', $4, $5, $5, $5, 1, 1, $6, $7, $8, 3, $9, $10)`,
    [simId, number, orgId, marks.session, at, marks.ip, marks.apn, plmn, marks.imei, marks.cell],
  );
  await pool.query(
    `update sim_live set connection = ${connectionNumbers.offline}, connection_since = $2, last_seen_at = $2,
       last_session_at = $2, ip = $3, plmn = $4, radio = 3, imei = $5 where sim_id = $1`,
    [simId, at, marks.ip, plmn, marks.imei],
  );
  await pool.query('update sims set last_imei = $2, imei_changed_at = $3 where id = $1', [
    simId,
    marks.imei,
    at,
  ]);
  for (const [table, column] of [
    ['usage_hourly', `hour_at`],
    ['usage_daily', `day_on`],
  ] as const) {
    const when =
      column === 'hour_at'
        ? `date_trunc('hour', $2::timestamptz)`
        : `($2::timestamptz at time zone 'UTC')::date`;
    await pool.query(
      `insert into ${table} (sim_id, ${column}, plmn, radio, up_bytes, down_bytes, records)
       values ($1, ${when}, $3, 3, $4::bigint - 1, 1, 1)`,
      [simId, at, plmn, marks.bytes],
    );
  }
  await pool.query(
    `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, plmn, up_bytes, down_bytes, session_key, radio,
       source, apn, cell)
     values ($1, $2, $3, $2, $4, $5, $6::bigint - 1, 1, $3, 3, 1, $7, $8)`,
    [simId, at, number, orgId, plmn, marks.bytes, marks.apn, marks.cell],
  );
  await pool.query(
    `insert into org_usage_daily (org_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, 3, $4::bigint - 1, 1, 1)`,
    [orgId, at, plmn, marks.bytes],
  );
  await pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes)
     values ($1, $2::timestamptz - interval '1 minute', $2, $3)`,
    [simId, at, marks.cycle],
  );
  await pool.query(
    `with made as (
       insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       values ($4, $4, $4, 'prepaid basic', 1, 'stop', 'month') returning id)
     insert into bundle_orders (sim_id, org_id, bundle_id, status, sales_order_id, ordered_at, activated_at, expires_at)
     select $1, $2, id, 'expired', $3, $5::timestamptz, $5::timestamptz - interval '2 minutes', $5 from made`,
    [simId, orgId, marks.sales, marks.bundle, at],
  );
  await pool.query('insert into radius_rejects (sim_id, at, reason) values ($1, $2, $3)', [
    simId,
    at,
    era.refusal[0],
  ]);
};
