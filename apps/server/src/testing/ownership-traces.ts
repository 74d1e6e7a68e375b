import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connectionNumbers, recordSimEvents, simEvent } from '../modules/sim/index.ts';
import { assignSequences, insertEvents } from '../modules/webhook/events/events.queries.ts';
import { ensureDayPartition } from '../platform/db/index.ts';
import type { TestApp } from './app.ts';
import { makeRule } from './autoflow-rules.ts';
import { storeMessages } from './messages.ts';

/**
 * What happens to a SIM while it belongs to one organisation: traces of all kinds, each with a value that is
 * unique to that period, so that a response shows whose traces it contains.
 */
export interface TraceValues {
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
  enroller: string;
  pooled: string;
  measured: string;
  seen: string;
}
export type TraceKind = keyof TraceValues;

export interface OwnershipPeriod {
  name: string;
  orgId: number;
  at: string;
  number: number;
  country: string;
  /** Reason of a rejected request, and its text in a report. */
  refusal: readonly [reason: string, words: string];
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export const traceValuesOf = ({ name, at, number, refusal }: OwnershipPeriod): TraceValues => ({
  staff: `${name}-STAFF`,
  task: `${name}-TASK`,
  session: `${name}-SESSION`,
  apn: `${name.toLowerCase()}.apn`,
  ip: `10.77.0.${number}`,
  imei: `4901542032375${twoDigits(number)}`,
  cell: `999-${twoDigits(number)}-77-1`,
  operator: `${name}-OPERATOR`,
  bytes: String(1_000_003 * number),
  cycle: String(7_000_017 * number),
  sales: `${name}-SALES`,
  bundle: `${name}-BUNDLE`,
  refusals: refusal[1],
  message: `${name}-MESSAGE`,
  enroller: `${name}-ENROLLER`,
  pooled: String(4_000_037 * number),
  measured: `${name}-MEASURED`,
  seen: at,
});

/** Leaves the traces, as the modules that write them would. Usage is counted in the hour and day of the instant. */
export const leaveTraces = async (
  { database: { pool } }: Pick<TestApp, 'database'>,
  simId: number,
  period: OwnershipPeriod,
): Promise<void> => {
  const { orgId, at, number, country, name } = period;
  const values = traceValuesOf(period);
  const plmn = 999_000 + number;
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values ($1, '999', $2, $3, $4)`,
    [plmn, twoDigits(number), values.operator, country],
  );
  await pool.query(`insert into cells (cell, latitude, longitude) values ($1, $2, 7)`, [values.cell, number]);
  const own = { simId, orgId, at: new Date(at) };
  await recordSimEvents(
    pool,
    [{ ...own, ...simEvent('lifecycle-changed', { from: 'active', to: 'paused', reason: 'suspend' }) }],
    { actor: values.staff, taskId: values.task },
  );
  await recordSimEvents(pool, [
    { ...own, ...simEvent('imei-changed', { from: `${name}-OLD`, to: values.imei }) },
  ]);
  await storeMessages(pool, { simId, orgId, at, content: values.message });
  await pool.query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id, started_at,
       updated_at, stopped_at, up_bytes, down_bytes, ip, apn, plmn, radio, imei, cell)
     values ($1, $2, $3, 0, 'gw', '10.9.9.9', $4, $5, $5, $5, 1, 1, $6, $7, $8, 3, $9, $10)`,
    [simId, number, orgId, values.session, at, values.ip, values.apn, plmn, values.imei, values.cell],
  );
  await pool.query(
    `update sim_live set connection = ${connectionNumbers.offline}, connection_since = $2, last_seen_at = $2,
       last_session_at = $2, ip = $3, plmn = $4, radio = 3, imei = $5 where sim_id = $1`,
    [simId, at, values.ip, plmn, values.imei],
  );
  await pool.query('update sims set last_imei = $2, imei_changed_at = $3 where id = $1', [
    simId,
    values.imei,
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
      [simId, at, plmn, values.bytes],
    );
  }
  await pool.query(
    `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, plmn, up_bytes, down_bytes, session_key, radio,
       source, apn, cell)
     values ($1, $2, $3, $2, $4, $5, $6::bigint - 1, 1, $3, 3, 1, $7, $8)`,
    [simId, at, number, orgId, plmn, values.bytes, values.apn, values.cell],
  );
  await pool.query(
    `insert into org_usage_daily (org_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, 3, $4::bigint - 1, 1, 1)`,
    [orgId, at, plmn, values.bytes],
  );
  await pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes)
     values ($1, $2::timestamptz - interval '1 minute', $2, $3)`,
    [simId, at, values.cycle],
  );
  await pool.query(
    `with made as (
       insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       values ($4, $4, $4, 'prepaid basic', 1, 'stop', 'month') returning id)
     insert into bundle_orders (sim_id, org_id, bundle_id, status, sales_order_id, ordered_at, activated_at, expires_at)
     select $1, $2, id, 'expired', $3, $5::timestamptz, $5::timestamptz - interval '2 minutes', $5 from made`,
    [simId, orgId, values.sales, values.bundle, at],
  );
  await pool.query('insert into radius_rejects (sim_id, at, reason) values ($1, $2, $3)', [
    simId,
    at,
    period.refusal[0],
  ]);
  await joinPool(pool, simId, period);
  await fireRule(pool, simId, period);
  await recordEvent(pool, period);
};

/** A firing of a rule of the organisation on all its SIMs. */
const fireRule = async (pool: pg.Pool, simId: number, period: OwnershipPeriod): Promise<void> => {
  const { orgId, at } = period;
  const trigger = { kind: 'silent', hours: 1 } as const;
  const ruleId = await makeRule(pool, { orgId }, { trigger, armedAt: new Date(at) });
  const measured = { value: traceValuesOf(period).measured, threshold: null, unit: null, since: null };
  await pool.query(
    `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, kept_until)
     values ($1, $2, 1, $3, 'once', $4, $4, $5, '2027-12-01')`,
    [orgId, ruleId, simId, at, measured],
  );
};

/** An SMS of the SIM that became an event of the organisation, for its developers. */
const recordEvent = async (pool: pg.Pool, period: OwnershipPeriod): Promise<void> => {
  const { orgId, at } = period;
  const id = randomUUID();
  const sequence = (await assignSequences(pool, [{ orgId }]))(orgId);
  const data = {
    iccid: '',
    message_id: '',
    content: traceValuesOf(period).message,
    encoding: 'gsm7',
    reply_to: null,
  };
  const body = JSON.stringify({ id, type: 'sms.mo', time: at, sequence, organisation: '', data });
  const event = { id, orgId, sequence, type: 'sms.mo', accountId: null, body };
  await ensureDayPartition(pool, 'webhook_events', new Date(at));
  await insertEvents(pool, [event], new Date(at));
};

/** Makes the SIM a member of a pool of the organisation, which it leaves when it is transferred. */
const joinPool = async (
  pool: pg.Pool,
  simId: number,
  { orgId, at, name, ...period }: OwnershipPeriod,
): Promise<void> => {
  const { bundle, enroller, pooled } = traceValuesOf({ orgId, at, name, ...period });
  const { rows } = await pool.query<{ id: number }>(
    `insert into pools (org_id, bundle_id, name, policy, opt_in, activation_rule, created_at)
     select $1, id, $2, 'no limit', 'manual', 'standard', $3 from bundles where code = $4 returning id`,
    [orgId, `${name}-POOL`, at, bundle],
  );
  const id = rows[0]?.id;
  const cycle = ['2026-10-31T16:00:00Z', '2026-11-30T16:00:00Z'];
  await pool.query('insert into pool_cycles (pool_id, started_at, ends_at) values ($1, $2, $3)', [
    id,
    ...cycle,
  ]);
  await pool.query('insert into pool_members (pool_id, sim_id, enrolled_at) values ($1, $2, $3)', [
    id,
    simId,
    at,
  ]);
  await pool.query('insert into pool_usage values ($1, $2, $3, $4)', [id, cycle[0], simId, pooled]);
  await pool.query(
    `insert into pool_activity (pool_id, sim_id, at, kind, actor) values ($1, $2, $3, 'joined', $4)`,
    [id, simId, at, enroller],
  );
  await pool.query(
    `insert into pool_events (pool_id, at, kind, limit_before_bytes, limit_after_bytes, used_bytes, sims, actor, facts)
     select $1, $2, 'SIM enrollment', 0, 0, 0, 1, $3, json_build_object('reason', 'ordered', 'iccids', array[iccid])
     from sims where id = $4`,
    [id, at, enroller, simId],
  );
};
