import { limits } from '@simcube/contract';
import type { BundleType } from '@simcube/contract/bundle';
import type { DiagnoseLink } from '@simcube/contract/diagnose';
import type { SimEventKind } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../platform/db/index.ts';
import { findOverdue, predictAccess } from '../aaa/index.ts';
import { type Coordinates, findTown } from '../place/index.ts';
import { connectionOf, dataStateOf, lifecycleOf, networkOf, type OwnSim } from '../sim/index.ts';
import type { DiagnoseFacts } from './diagnose-facts.rules.ts';

interface DiagnoseQuery {
  sim: OwnSim;
  now: Date;
}

const rejectWindowMs = 24 * hourMs;

/** All facts for a report; to be read in one snapshot. */
export const readFacts = async (tx: Sql, query: DiagnoseQuery): Promise<DiagnoseFacts> => {
  const sim = await readSim(tx, query.sim);
  const session = await findSession(tx, query.sim);
  const orders = await readOrders(tx, query.sim);
  const plmn = sim.plmn ?? session?.plmn ?? null;
  const network = await findNetwork(tx, plmn);
  return {
    now: query.now,
    iccid: sim.iccid,
    deviceName: sim.device_name,
    organisation: sim.organisation,
    card: { technology: sim.technology, shipmentOn: sim.shipment_on },
    lifecycle: {
      status: lifecycleOf(sim.lifecycle),
      changedAt: sim.lifecycle_changed_at,
      preActivationEndsAt: sim.pre_activation_ends_at,
      graceDays: sim.grace_days ?? limits.graceDays,
    },
    ...orders,
    bundle: bundleOf(sim),
    usage: {
      usedBytes: sim.used_bytes,
      limitBytes: sim.limit_bytes,
      overLimit: sim.over_limit,
      data: dataStateOf(sim.data_state),
      rateKbps: sim.rate_kbps,
      cycleEndsAt: sim.cycle_ends_at,
    },
    access: await predictAccess(tx, {
      imsi: sim.imsi,
      apn: session?.apn ?? undefined,
      plmn,
      now: query.now,
    }),
    connection: connectionOf(sim.connection),
    lastSeenAt: sim.last_seen_at,
    network: network && {
      plmn: `${network.mcc}-${network.mnc}`,
      operator: network.operator,
      country: network.country,
    },
    networkOverdue: (await findOverdue(tx, [query.sim.id], query.now)).get(query.sim.id) ?? null,
    session: session ? await sessionOf(session, plmn) : null,
    apn: sim.apn,
    fixedIp: sim.fixed_ip,
    imei: {
      last: sim.last_imei,
      former: await findFormerImei(tx, { sim: query.sim, changedAt: sim.imei_changed_at }),
      changedAt: sim.imei_changed_at,
    },
    rejects: await readRejects(tx, query),
  };
};

interface SimRow {
  iccid: string;
  imsi: string;
  device_name: string | null;
  organisation: string;
  grace_days: number | null;
  lifecycle: number;
  lifecycle_changed_at: Date;
  technology: string | null;
  shipment_on: string | null;
  pre_activation_ends_at: Date | null;
  apn: string | null;
  fixed_ip: string | null;
  last_imei: string | null;
  imei_changed_at: Date | null;
  connection: number;
  last_seen_at: Date | null;
  plmn: number | null;
  cycle_ends_at: Date | null;
  used_bytes: number;
  limit_bytes: number | null;
  over_limit: boolean;
  data_state: number;
  rate_kbps: number | null;
  bundle_type: BundleType | null;
  out_of_coverage_policy: NonNullable<DiagnoseFacts['bundle']>['outOfCoveragePolicy'] | null;
  coverage_countries: string[] | null;
}

const readSim = async (sql: Sql, { id }: OwnSim): Promise<SimRow> => {
  const { rows } = await sql.query<SimRow>(
    `select s.iccid, s.imsi, s.device_name, o.name as organisation, o.grace_days, s.lifecycle, s.lifecycle_changed_at,
       s.technology, s.shipment_on, s.pre_activation_ends_at, s.apn, host(s.fixed_ip) as fixed_ip, s.last_imei,
       s.imei_changed_at, l.connection, l.last_seen_at, l.plmn, l.cycle_ends_at, l.used_bytes, l.limit_bytes, l.over_limit,
       l.data_state, l.rate_kbps, b.type as bundle_type, b.out_of_coverage_policy, b.coverage_countries
     from sims s join sim_live l on l.sim_id = s.id join organisations o on o.id = s.org_id
     left join bundles b on b.id = s.bundle_id where s.id = $1`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error('A SIM went away while it was diagnosed');
  return row;
};

const bundleOf = (sim: SimRow): DiagnoseFacts['bundle'] =>
  sim.bundle_type && {
    type: sim.bundle_type,
    outOfCoveragePolicy: sim.out_of_coverage_policy ?? 'not applicable',
    coverageCountries: sim.coverage_countries ?? [],
  };

/** The basic order in use, and the number of pending ones. */
const readOrders = async (
  sql: Sql,
  { id }: OwnSim,
): Promise<Pick<DiagnoseFacts, 'order' | 'pendingOrders'>> => {
  const { rows } = await sql.query<{ bundle: string; ends_at: Date | null; status: string; orders: number }>(
    `(select b.name as bundle, o.expires_at as ends_at, o.status, 1 as orders
      from bundle_orders o join bundles b on b.id = o.bundle_id
      where o.sim_id = $1 and o.status = 'in use' and b.type <> 'prepaid supplementary' order by o.id limit 1)
     union all
     select '', null, 'pending', count(*)::int from bundle_orders o join bundles b on b.id = o.bundle_id
     where o.sim_id = $1 and o.status = 'pending' and b.type <> 'prepaid supplementary'`,
    [id],
  );
  const inUse = rows.find(({ status }) => status === 'in use');
  return {
    order: inUse ? { bundle: inUse.bundle, endsAt: inUse.ends_at } : null,
    pendingOrders: rows.find(({ status }) => status === 'pending')?.orders ?? 0,
  };
};

type Session = NonNullable<DiagnoseFacts['session']>;

interface SessionRow extends Omit<Session, 'town'> {
  plmn: number | null;
  place: Coordinates | null;
}

const findSession = async (sql: Sql, { id, orgId }: OwnSim): Promise<SessionRow | undefined> =>
  (
    await sql.query<SessionRow>(
      `select r.started_at as "startedAt", r.updated_at as "updatedAt", r.stopped_at as "stoppedAt",
         r.terminate_cause as cause, r.up_bytes + r.down_bytes as bytes, r.apn, host(r.ip) as ip, r.plmn, r.cell,
         case when c.cell is not null then json_build_object('latitude', c.latitude, 'longitude', c.longitude) end as place
       from radius_sessions r left join cells c on c.cell = r.cell where r.sim_id = $1 and r.org_id = $2 order by r.stopped_at is null desc, r.updated_at desc limit 1`,
      [id, orgId],
    )
  ).rows[0];

/** A cell of another network than the one where the SIM was last seen does not tell where it was then. */
const sessionOf = async (
  { plmn, place, ...session }: SessionRow,
  seenIn: number | null,
): Promise<Session> => {
  if (plmn !== seenIn) return { ...session, cell: null, town: null };
  return { ...session, town: place && (await findTown(place)).town };
};

const findNetwork = async (sql: Sql, plmn: number | null) => {
  const { rows } = await sql.query<{ mcc: string; mnc: string; operator: string; country: string }>(
    'select mcc, mnc, operator, country from networks where plmn = $1',
    [plmn],
  );
  const { mcc = null, mnc = null, operator = null, country = null } = rows[0] ?? {};
  return networkOf({ plmn, mcc, mnc, operator, country, radio: null });
};

const imeiChanged: SimEventKind = 'imei-changed';

/** The device before the last change; null when it is no longer known. */
const findFormerImei = async (
  sql: Sql,
  { sim, changedAt }: { sim: OwnSim; changedAt: Date | null },
): Promise<string | null> => {
  if (!changedAt) return null;
  const { rows } = await sql.query<{ former: string | null }>(
    `select facts ->> 'from' as former from sim_events where sim_id = $1 and org_id = $3 and kind = '${imeiChanged}'
       and at >= $2::timestamptz - interval '1 day' order by at desc, id desc limit 1`,
    [sim.id, changedAt, sim.orgId],
  );
  return rows[0]?.former ?? null;
};

const readRejects = async (sql: Sql, { sim, now }: DiagnoseQuery): Promise<DiagnoseFacts['rejects']> =>
  (
    await sql.query<{ reason: string; times: number; lastAt: Date }>(
      `select reason, count(*)::int as times, max(at) as "lastAt" from radius_rejects
       where sim_id = $1 and at > $2 and at <= $3 and exists (select from sim_owners w
         where w.sim_id = $1 and w.org_id = $4 and at >= w.since and at < w.until) group by reason order by reason limit 50`,
      [sim.id, new Date(now.getTime() - rejectWindowMs), now, sim.orgId],
    )
  ).rows;

export interface StoredLink {
  report: unknown;
  isWithdrawn: boolean;
}

/** A link that has not expired, to a SIM that its organisation still has. */
export const findLink = async (
  sql: Sql,
  { idHash, now }: { idHash: Buffer; now: Date },
): Promise<StoredLink | undefined> =>
  (
    await sql.query<StoredLink>(
      `select l.report, l.withdrawn_at is not null as "isWithdrawn"
       from diagnose_links l join sims s on s.id = l.sim_id and s.org_id = l.org_id
       where l.id_hash = $1 and l.expires_at > $2`,
      [idHash, now],
    )
  ).rows[0];

/** Current links of the SIM, the newest first. */
export const listLinks = async (sql: Sql, { sim, now }: DiagnoseQuery): Promise<DiagnoseLink[]> => {
  const { rows } = await sql.query<{ id: string; madeAt: Date; expiresAt: Date }>(
    `select id::text, made_at as "madeAt", expires_at as "expiresAt" from diagnose_links
     where sim_id = $1 and org_id = $2 and expires_at > $3 and withdrawn_at is null order by made_at desc, diagnose_links.id desc limit $4`,
    [sim.id, sim.orgId, now, limits.diagnoseLinks],
  );
  return rows.map(({ id, madeAt, expiresAt }) => ({
    id,
    made_at: madeAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }));
};
