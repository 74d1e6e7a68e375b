import { int8Column, type Sql, textColumn } from '../../../platform/db/index.ts';
import type { SessionState, SimState } from './sim-state.ts';

const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;

const sessionColumns = `
  s.sim_id, s.session_key, s.updates, s.acct_session_id, s.nas, s.client_id, host(s.gateway_address), ${ms('s.started_at')},
  ${ms('s.updated_at')}, ${ms('s.stopped_at')}, s.terminate_cause, ${ms('s.reused_at')}, s.up_bytes,
  s.down_bytes, host(s.ip), s.apn, s.plmn, s.radio, s.imei, s.cell, s.org_id`;

/*
 * Finds open sessions of SIMs that were just read, sessions by key, and open sessions of other SIMs at the address of
 * a new one. Open sessions are read by a lateral join behind a fence (an order that they are in anyway), so that they
 * are looked up one by one whatever the planner estimates. Its statistics may be from a time without sessions, just
 * before all devices of a network reconnected; its choice of index would then depend on chance (migration 0024).
 */
const selectOwnSessions = `
  select 'own', ${sessionColumns} from unnest($1::bigint[]) as v (sim_id)
  cross join lateral (
    select * from radius_sessions r
    where r.sim_id = v.sim_id and r.stopped_at is null order by r.sim_id) as s
  union all
  select 'own', ${sessionColumns} from unnest($2::bigint[], $3::bigint[]) as wanted (sim_id, session_key)
  join radius_sessions s on s.sim_id = wanted.sim_id and s.session_key = wanted.session_key`;

const selectRivals = (sims: string, addresses: string): string => `
  select 'rival', ${sessionColumns} from unnest(${sims}::bigint[], ${addresses}::text[]::inet[]) as v (sim_id, ip)
  cross join lateral (
    select * from radius_sessions r
    where r.ip = v.ip and coalesce(r.stopped_at, 'infinity'::timestamptz) = 'infinity'::timestamptz
      and r.sim_id <> v.sim_id order by r.ip) as s`;

type SessionRow = [
  role: 'own' | 'rival',
  simId: number,
  key: number,
  updates: number,
  id: string,
  nas: string,
  clientId: number,
  gatewayAddress: string,
  startedAt: number,
  updatedAt: number,
  stoppedAt: number | null,
  cause: string | null,
  reusedAt: number | null,
  up: number,
  down: number,
  ip: string | null,
  apn: string | null,
  plmn: number | null,
  radio: number | null,
  imei: string | null,
  cell: string | null,
  orgId: number,
];

const sessionOf = (row: SessionRow): SessionState => {
  const [
    ,
    ,
    key,
    updates,
    id,
    nas,
    clientId,
    gatewayAddress,
    startedAt,
    updatedAt,
    stoppedAt,
    cause,
    reusedAt,
    up,
    down,
    ip,
    apn,
    plmn,
    radio,
    imei,
    cell,
    orgId,
  ] = row;
  return {
    key,
    orgId,
    updates,
    stored: true,
    id,
    nas,
    clientId,
    gatewayAddress,
    startedAt,
    updatedAt,
    stoppedAt,
    cause,
    reusedAt,
    up,
    down,
    ip,
    apn,
    plmn,
    radio,
    imei,
    cell,
  };
};

export interface RequestedSession {
  sim: SimState;
  key: number;
  ip: string | null;
}

export interface FoundSession {
  simId: number;
  session: SessionState;
}

interface SessionsQuery {
  fresh: ReadonlyMap<number, SimState>;
  requested: readonly RequestedSession[];
}

const statementFor = ({ fresh, requested }: SessionsQuery) => {
  const values = [
    int8Column([...fresh.keys()], (simId) => simId),
    int8Column(requested, ({ sim }) => sim.simId),
    int8Column(requested, ({ key }) => key),
  ];
  if (!requested.some(({ ip }) => ip !== null))
    return { name: 'aaa-find-own-sessions', text: selectOwnSessions, values };
  const text = `${selectOwnSessions} union all ${selectRivals('$2', '$4')}`;
  return { name: 'aaa-find-sessions', text, values: [...values, textColumn(requested, ({ ip }) => ip)] };
};

/**
 * Loads the open sessions of the SIMs just read, and the named sessions, into their states.
 * @returns open sessions of others at the addresses of the named ones
 */
export const loadSessions = async (sql: Sql, query: SessionsQuery): Promise<FoundSession[]> => {
  const { fresh, requested } = query;
  const { rows } = await sql.query<SessionRow>({ ...statementFor(query), rowMode: 'array' });
  const sims = new Map(fresh);
  for (const { sim } of requested) sims.set(sim.simId, sim);
  const rivals: FoundSession[] = [];
  for (const row of rows) {
    const session = sessionOf(row);
    if (row[0] === 'rival') {
      rivals.push({ simId: row[1], session });
      continue;
    }
    const sim = sims.get(row[1]);
    if (sim && !sim.sessions.has(session.key)) sim.sessions.set(session.key, session);
  }
  return rivals;
};
