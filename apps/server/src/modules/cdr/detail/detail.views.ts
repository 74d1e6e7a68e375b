import { limits } from '@simcube/contract';
import type { CdrDetail, CdrId } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Db, Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { listPooledSpans } from '../../pool/index.ts';
import { readRate } from '../../price/index.ts';
import { simsBy } from '../../sim/index.ts';
import { type CdrColumns, cdrColumns, partsOfId, showCdrs } from '../cdr-rows.views.ts';
import { readOrders } from '../orders.views.ts';
import { readPoolCharging } from './pool-charging.views.ts';

/** A record of the organisation. @throws Failure CB-01-0031: the id is unknown or belongs to another organisation */
export const readDetail = async (
  { db, pool }: { db: Db; pool: Sql },
  { orgId, id, now }: { orgId: number; id: CdrId; now: Date },
): Promise<CdrDetail> => {
  const row = await findRecord(db, { orgId, id });
  const [shown] = await showCdrs(db, { orgId, now, rows: [row] });
  const [networkSide, place, counted] = await Promise.all([
    readSession(db, orgId, row),
    findPlace(db, row),
    readCounted({ db, pool }, { orgId, row, now }),
  ]);
  const cdr = shown ?? fail('CB-01-0031');
  const { byCountry, ...shownCounted } = counted;
  const limit = counted.limit_bytes;
  const rated =
    counted.order &&
    (await readRate(pool, {
      orgId,
      orderId: counted.order.order_id,
      cycleStartedAt: new Date(counted.cycle.started_at),
      country: cdr.network?.country ?? null,
      bytes: BigInt(cdr.total_bytes),
      byCountry: byCountry.map(({ country, bytes }) => ({ country, bytes: BigInt(bytes) })),
      limitBytes: limit === null ? null : BigInt(limit),
      pool: await readPoolCharging(pool, { orgId, simId: row.sim_id, at: endOf(row) }),
    }));
  return { ...cdr, network_side: { ...networkSide, place }, counted: shownCounted, rated };
};

const endOf = ({ ended_us }: CdrColumns): Date => new Date(Math.floor(ended_us / 1000));

const instantOf = (microseconds: number) =>
  sql<Date>`timestamptz '1970-01-01 00:00:00+00' + ${microseconds}::bigint * interval '1 microsecond'`;

const findRecord = async (db: Db, { orgId, id }: { orgId: number; id: CdrId }): Promise<CdrColumns> => {
  const { iccid, endedUs, key } = partsOfId(id);
  const { rows } = await sql<CdrColumns>`
    select ${cdrColumns} from cdrs
    where sim_id = (select i.sim_id from ${sql.raw(simsBy('iccid'))} i where i.value = ${iccid}) and ended_at = ${instantOf(endedUs)}
      and dedupe_key = ${key} and org_id = ${orgId}`.execute(db);
  return rows[0] ?? fail('CB-01-0031');
};

interface SessionColumns {
  session_id: string | null;
  gateway: string | null;
  update: number | null;
  updates: number | null;
  seconds_after: number | null;
}

type Session = Omit<CdrDetail['network_side'], 'place'>;

const noSession: Session = {
  session_id: null,
  update: null,
  updates: null,
  seconds_after: null,
  gateway: null,
};

/**
 * The record's session, the record's position in it, and the time since the previous record. A session that reaches
 * beyond the time around the record whose records are counted has no positions.
 */
const readSession = async (db: Db, orgId: number, row: CdrColumns): Promise<Session> => {
  if (row.session_key === null) return noSession;
  const around = sql`make_interval(days => ${limits.cdrs.days})`;
  const endedAt = instantOf(row.ended_us);
  const isLonger = sql`(s.started_at < ${endedAt} - ${around} or s.updated_at > ${endedAt} + ${around})`;
  const { rows } = await sql<SessionColumns>`
    select s.acct_session_id as session_id, g.name as gateway, case when ${isLonger} then null else u.update end as update,
      case when ${isLonger} then null else u.updates end as updates, u.seconds_after
    from (
      select ended_at, dedupe_key, row_number() over placed as update, count(*) over () as updates,
        extract(epoch from ended_at - lag(ended_at) over placed)::float8 as seconds_after
      from cdrs
      where sim_id = ${row.sim_id} and org_id = ${orgId} and session_key = ${row.session_key}
        and ended_at between ${endedAt} - ${around} and ${endedAt} + ${around}
      window placed as (order by ended_at, dedupe_key)) as u
    left join radius_sessions s on s.sim_id = ${row.sim_id} and s.session_key = ${row.session_key} and s.org_id = ${orgId}
    left join radius_clients g on g.id = s.client_id
    where u.ended_at = ${endedAt} and u.dedupe_key = ${row.dedupe_key}`.execute(db);
  return rows[0] ?? noSession;
};

/** The location of the cell in which the record ended. */
const findPlace = async (db: Db, { cell }: CdrColumns): Promise<CdrDetail['network_side']['place']> => {
  const { rows } = await sql<{ latitude: number; longitude: number }>`
    select latitude, longitude from cells where cell = ${cell}`.execute(db);
  return rows[0] ?? null;
};

interface CycleColumns {
  started_at: Date;
  ends_at: Date;
  /** Whether its quota is the organisation's. */
  held: boolean;
  limit_bytes: number | null;
}

interface UsedByCountry {
  country: string | null;
  bytes: number;
  /** The part of it that counted for shared pools. */
  pooled: number;
}

/**
 * The cycle and the order that the record counted in, and the usage in that cycle up to it: for the current owner,
 * whose quota covers all of the SIM's usage, all of it; for a former owner, its own usage.
 */
const readCounted = async (
  { db, pool }: { db: Db; pool: Sql },
  { orgId, row, now }: { orgId: number; row: CdrColumns; now: Date },
): Promise<CdrDetail['counted'] & { byCountry: { country: string | null; bytes: number }[] }> => {
  const cycle = await findCycle(db, { orgId, row, now });
  const endedAt = instantOf(row.ended_us);
  const span = { simId: row.sim_id, from: cycle.started_at, to: new Date(endOf(row).getTime() + 1) };
  const pooled = await listPooledSpans(pool, [span]);
  const [used, orderOf] = await Promise.all([
    sql<UsedByCountry>`
      select n.country, sum(c.up_bytes + c.down_bytes)::bigint as bytes,
        coalesce(sum(c.up_bytes + c.down_bytes) filter (where exists (
          select from unnest(${pooled.map(({ from }) => from)}::timestamptz[], ${pooled.map(({ to }) => to)}::timestamptz[]) as p (since, until)
          where c.ended_at >= p.since and c.ended_at < p.until)), 0)::bigint as pooled
      from cdrs c left join networks n on n.plmn = c.plmn
      where sim_id = ${row.sim_id} and (${cycle.held} or org_id = ${orgId}) and ended_at >= ${cycle.started_at}
        and (ended_at, dedupe_key) <= (${endedAt}, ${row.dedupe_key})
      group by 1`.execute(db),
    readOrders(db, orgId, [row]),
  ]);
  return {
    cycle: {
      started_at: cycle.started_at.toISOString(),
      ends_at: cycle.ends_at.toISOString(),
      provisional: now.getTime() < cycle.ends_at.getTime() + limits.provisionalHours * hourMs,
    },
    order: orderOf(row),
    used_after_bytes: used.rows.reduce((sum, { bytes }) => sum + bytes, 0),
    limit_bytes: cycle.limit_bytes,
    byCountry: used.rows.map(({ country, bytes, pooled: shared }) => ({ country, bytes: bytes - shared })),
  };
};

/**
 * The running cycle or a closed one; usage in no cycle gets its calendar month. The limit is that of the SIM's owner
 * at the end of the cycle, or today's if it is still running; an earlier owner has none.
 */
const findCycle = async (
  db: Db,
  { orgId, row: { sim_id, ended_us }, now }: { orgId: number; row: CdrColumns; now: Date },
): Promise<CycleColumns> => {
  const endedAt = instantOf(ended_us);
  const { rows } = await sql<CycleColumns>`
    select started_at, ends_at, held, case when held then limit_bytes end as limit_bytes
    from (select cycle_started_at as started_at, cycle_ends_at as ends_at, limit_bytes, exists (
      select from sim_owners o
      where o.sim_id = c.sim_id and o.org_id = ${orgId} and o.since < c.cycle_ends_at
        and o.until >= least(c.cycle_ends_at, ${now}::timestamptz)) as held
    from (
      select sim_id, cycle_started_at, cycle_ends_at, limit_bytes from sim_live
      union all select sim_id, cycle_started_at, cycle_ends_at, limit_bytes from usage_cycles) as c
    where sim_id = ${sim_id} and cycle_started_at <= ${endedAt} and cycle_ends_at > ${endedAt}) as cycles
    order by started_at desc limit 1`.execute(db);
  return rows[0] ?? monthOf(new Date(ended_us / 1000));
};

const monthOf = (at: Date): CycleColumns => {
  const month = dashboardDays.monthOf(at);
  const startsAt = dashboardDays.startOfMonth(month);
  // Any month ends within 32 days of its start.
  const next = dashboardDays.monthOf(new Date(startsAt.getTime() + 32 * 24 * hourMs));
  return { started_at: startsAt, ends_at: dashboardDays.startOfMonth(next), held: false, limit_bytes: null };
};
