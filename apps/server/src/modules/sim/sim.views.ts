import { type Amount, type CycleCost, minorDigits } from '@simcube/contract/price';
import type { NetworkOverdue, SimBasic, SimConnection, SimEvent, SimUsage } from '@simcube/contract/sim';
import { sql } from 'kysely';
import type { Db, Sql } from '../../platform/db/index.ts';
import type { List } from '../../platform/lists/index.ts';
import { usesPoolLimit } from './pool-limit.views.ts';
import { connectionOf, lifecycleOf, networkOf, projectedBytes } from './sim.rules.ts';
import { dataOf } from './sim-data.rules.ts';
import { dataColumns } from './sim-data.views.ts';
import type { OwnSim } from './sim-scope.views.ts';

/** Usage figures that this module needs from the higher module `usage`; passed in by `main/wire.ts`. */
export interface UsageViews {
  simUsage(
    sim: OwnSim,
    query: { granularity: 'hour' | 'day' | 'month'; from: string; to: string },
  ): Promise<SimUsage>;
}

/** What the network should have done with these SIMs and has not, by SIM; provided by the higher module `aaa`. */
export type FindOverdue = (
  simIds: readonly number[],
  now: Date,
) => Promise<ReadonlyMap<number, NetworkOverdue>>;

/** Costs of the running cycles of own SIMs, by ICCID; provided by the higher module `price`. */
export type FindCosts = (query: {
  orgId: number;
  iccids: readonly string[];
  /** Read in this snapshot instead of now. */
  snapshot?: Sql;
}) => Promise<ReadonlyMap<string, Pick<CycleCost, 'currency' | 'total_minor' | 'cycle'>>>;

/** A cost as lists show it. */
export const amountOf = (cost: Pick<CycleCost, 'currency' | 'total_minor'> | undefined): Amount | null =>
  cost ? { currency: cost.currency, amount_minor: cost.total_minor } : null;

/** Adds to SIM rows the cost of the running cycle so far; null without a price. */
export const withSimCosts = async <Row extends { iccid: string }>(
  costsOf: FindCosts,
  org: { id: number },
  rows: readonly Row[],
): Promise<(Row & { cost: Amount | null })[]> => {
  const costs = await costsOf({ orgId: org.id, iccids: rows.map(({ iccid }) => iccid) });
  return rows.map((row) => ({ ...row, cost: amountOf(costs.get(row.iccid)) }));
};

/** An amount in major units, for files. */
export const decimalOf = ({ currency, amount_minor }: Amount): string => {
  const digits = minorDigits(currency);
  return (amount_minor / 10 ** digits).toFixed(digits);
};

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The overview of one SIM. */
export const getBasic = async (db: Db, { sim, now }: { sim: OwnSim; now: Date }): Promise<SimBasic> => {
  const row = await db
    .selectFrom('sims as s')
    .innerJoin('sim_live as l', 'l.sim_id', 's.id')
    .innerJoin('organisations as o', 'o.id', 's.org_id')
    .select(['s.iccid', 's.imsi', 's.msisdn', 's.last_imei', 's.device_name', 's.notes', 's.tags'])
    .select(['s.delivery_note_number', 's.shipment_on', 's.chip_grade', 's.technology', 's.apn'])
    .select(['s.lifecycle', 's.lifecycle_changed_at', 's.activated_at', 's.pre_activation_ends_at'])
    .select(['s.sms_suspended', sql<string | null>`host(coalesce(l.ip, s.fixed_ip))`.as('ip')])
    .select(['s.expires_at', 's.bundle_id', 'o.code as org_code', 'o.name as org_name'])
    .select(['l.cycle_started_at', 'l.cycle_ends_at', 'l.used_bytes', 'l.limit_bytes'])
    .select(sql.raw<boolean>(usesPoolLimit).as('uses_pool_limit'))
    .select(dataColumns)
    .where('s.id', '=', sim.id)
    .executeTakeFirstOrThrow();
  const lifecycle = lifecycleOf(row.lifecycle);
  const data = dataOf(row, now);
  const cycle = {
    lifecycle,
    startedAt: row.cycle_started_at,
    endsAt: row.cycle_ends_at,
    usedBytes: row.used_bytes,
    now,
  };
  return {
    iccid: row.iccid,
    imsi: row.imsi,
    msisdn: row.msisdn,
    last_imei: row.last_imei,
    device_name: row.device_name,
    notes: row.notes,
    tags: row.tags,
    delivery_note_number: row.delivery_note_number,
    shipment_on: row.shipment_on,
    chip_grade: row.chip_grade as SimBasic['chip_grade'],
    technology: row.technology as SimBasic['technology'],
    lifecycle,
    status: row.lifecycle,
    lifecycle_changed_at: row.lifecycle_changed_at.toISOString(),
    activated_at: instant(row.activated_at),
    pre_activation_ends_at: instant(row.pre_activation_ends_at),
    expires_at: instant(row.expires_at),
    apn: row.apn,
    ip: row.ip,
    organisation: { code: row.org_code, name: row.org_name },
    bundle: await findBundleInUse(db, { simId: sim.id, bundleId: row.bundle_id }),
    cycle: {
      started_at: instant(row.cycle_started_at),
      ends_at: instant(row.cycle_ends_at),
      usage_bytes: row.used_bytes,
      limit_bytes: row.limit_bytes,
      uses_pool_limit: row.uses_pool_limit,
      projected_bytes: projectedBytes(cycle),
    },
    data,
    data_state: data.state,
    sms_suspended: row.sms_suspended,
  };
};

const findBundleInUse = async (
  db: Db,
  { simId, bundleId }: { simId: number; bundleId: number | null },
): Promise<SimBasic['bundle']> => {
  if (bundleId === null) return null;
  const { rows } = await sql<{
    name: string;
    code: string;
    type: string;
    overage_policy: string;
    expires_at: Date | null;
    pending: number;
  }>`
    select b.name, b.code, b.type, b.overage_policy,
      (select expires_at from bundle_orders
       where sim_id = ${simId} and bundle_id = b.id and status = 'in use' order by id limit 1) as expires_at,
      (select count(*) from bundle_orders where sim_id = ${simId} and status = 'pending') as pending
    from bundles b where b.id = ${bundleId}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const { pending, expires_at, ...bundle } = row;
  return { ...bundle, expires_at: instant(expires_at), pending_orders: pending };
};

/** The connection of one SIM now, with the open or else the last session. */
export const getConnection = async (
  db: Db,
  { sim, now, findOverdue }: { sim: OwnSim; now: Date; findOverdue: FindOverdue },
): Promise<SimConnection> => {
  const [live, session, overdue] = await Promise.all([
    readLive(db, sim),
    findSession(db, sim),
    findOverdue([sim.id], now),
  ]);
  return {
    iccid: live.iccid,
    connection: connectionOf(live.connection),
    network_overdue: overdue.get(sim.id) ?? null,
    since: instant(live.connection_since),
    last_seen_at: instant(live.last_seen_at),
    session: session
      ? {
          id: session.acct_session_id,
          started_at: session.started_at.toISOString(),
          updated_at: session.updated_at.toISOString(),
          stopped_at: instant(session.stopped_at),
          terminate_cause: session.terminate_cause,
          up_bytes: session.up_bytes,
          down_bytes: session.down_bytes,
          apn: session.apn,
          ip: session.ip,
          imei: session.imei,
          network: networkOf(session),
          cell: session.cell,
          gateway: session.nas,
        }
      : null,
  };
};

const readLive = (db: Db, { id }: OwnSim) =>
  db
    .selectFrom('sim_live as l')
    .innerJoin('sims as s', 's.id', 'l.sim_id')
    .select(['s.iccid', 'l.connection', 'l.connection_since', 'l.last_seen_at'])
    .where('l.sim_id', '=', id)
    .executeTakeFirstOrThrow();

/** A session belongs to the organisation that had the SIM when it began. */
const findSession = (db: Db, sim: OwnSim) =>
  db
    .selectFrom('radius_sessions as r')
    .leftJoin('networks as n', 'n.plmn', 'r.plmn')
    .select(['r.acct_session_id', 'r.started_at', 'r.updated_at', 'r.stopped_at', 'r.terminate_cause'])
    .select(['r.up_bytes', 'r.down_bytes', 'r.apn', 'r.imei', 'r.cell', 'r.nas', 'r.plmn', 'r.radio'])
    .select([sql<string | null>`host(r.ip)`.as('ip'), 'n.mcc', 'n.mnc', 'n.operator', 'n.country'])
    .where('r.sim_id', '=', sim.id)
    .where('r.org_id', '=', sim.orgId)
    .orderBy(sql`r.stopped_at is null`, 'desc')
    .orderBy('r.updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();

interface EventRow {
  id: number;
  at: Date;
  kind: string;
  facts: SimEvent['facts'];
  actor: string | null;
  trace_id: string | null;
}

/** Events of one SIM, the newest first. */
export const eventList: List<OwnSim, object, EventRow, SimEvent> = {
  name: 'sim.events',
  tables: [
    {
      name: 'events',
      from: () => sql`sim_events`,
      inScope: ({ scope: { id, orgId } }) => sql`sim_id = ${id} and org_id = ${orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: {},
  countLimit: 'all',
  select: sql`id, at, kind, facts, actor, trace_id`,
  show: (rows) =>
    rows.map(({ id, at, kind, facts, actor, trace_id }) => ({
      id: String(id),
      at: at.toISOString(),
      kind,
      facts,
      actor,
      trace_id,
    })),
};
