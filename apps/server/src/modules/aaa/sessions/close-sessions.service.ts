import type pg from 'pg';
import { groupBy } from '../../../platform/collections/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { connectionNumbers, connectionOf, recordSimEvents, simEvent } from '../../sim/index.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';
import { operatorIdentifier } from '../aaa.rules.ts';
import { adminReset, lostService, nasReboot, silence } from '../intake/causes.ts';
import {
  type CloseCriteria,
  type ClosedSession,
  closeSessions,
  listSessionsToClose,
  markOffline,
  sessionsPerStatement,
  unregister,
} from './close-sessions.queries.ts';

const { offline } = connectionNumbers;

/** Closes sessions in transactions of `sessionsPerStatement`. @returns how many */
const closeAll = async (pool: pg.Pool, criteria: CloseCriteria): Promise<number> => {
  for (let total = 0; ; ) {
    const { closed, isLast } = await inRepeatableTransaction(pool, (tx) => closeBatch(tx, criteria));
    total += closed.length;
    if (isLast) return total;
  }
};

const closeBatch = async (
  tx: Sql,
  criteria: CloseCriteria,
): Promise<{ closed: ClosedSession[]; isLast: boolean }> => {
  const found = await listSessionsToClose(tx, criteria);
  const isLast = found.length < sessionsPerStatement;
  if (found.length === 0) return { closed: [], isLast };
  const closed = await closeSessions(tx, found, criteria);
  const connections = await markOffline(
    tx,
    closed.map(({ sim_id }) => sim_id),
    criteria.cause,
  );
  await recordSimEvents(
    tx,
    closed.map(({ sim_id, session_org_id, acct_session_id, cause, bytes, at }) => ({
      simId: sim_id,
      orgId: session_org_id,
      at,
      ...simEvent('session-stopped', { session: acct_session_id, cause, bytes }),
    })),
  );
  await emitMany(tx, sessionChanged, factsOf(closed, connections));
  return { closed, isLast };
};

/**
 * Each SIM once, with its connection afterwards: it may have another open session, or have been offline already. The end
 * of a former owner's session is nothing to the SIM's organisation unless it changes the connection.
 */
const factsOf = (closed: readonly ClosedSession[], connections: Awaited<ReturnType<typeof markOffline>>) => {
  const at = closed[0]?.at.toISOString() ?? '';
  const own = new Set(closed.filter((row) => row.session_org_id === row.org_id).map(({ sim_id }) => sim_id));
  const sims = [...new Map(closed.map((row) => [row.sim_id, row])).values()]
    .map((row) => {
      const { connection = offline, isNew = false } = connections.get(row.sim_id) ?? {};
      return { ...row, connection, isNew, isOwners: own.has(row.sim_id) };
    })
    .filter(({ isOwners, isNew }) => isOwners || isNew);
  return factsByOrganisation(
    groupBy(sims, (sim) => sim.org_id),
    changesPerFact,
    (part) => ({
      at,
      changes: [
        ...groupBy(part, ({ connection, isNew, isOwners }) => `${connection} ${isNew} ${isOwners}`).values(),
      ].flatMap((alike) =>
        alike.slice(0, 1).map(({ connection, isNew, isOwners }) => ({
          iccids: alike.map(({ iccid }) => iccid),
          status: connectionOf(connection),
          isNew,
          kinds: isOwners ? ['session-stopped' as const] : [],
        })),
      ),
    }),
  );
};

/** A gateway has started (Accounting-On), or is about to stop (Accounting-Off). */
export interface GatewayRestart {
  nas: string;
  /** Network identifier of the only APN that it concerns; all of its APNs if undefined. */
  apn?: string | undefined;
  status: 'on' | 'off';
  at: Date;
}

/**
 * Closes the sessions of a gateway that restarted, as of then: it no longer has them (RFC 2866, 5.1). Event times are whole
 * seconds: sessions from the second of its start began after that. Intake reopens a session that reports later, and so one
 * without a known APN that was not of the restarted one.
 */
export const closeGatewaySessions = (
  pool: pg.Pool,
  { nas, apn, status, at }: GatewayRestart,
): Promise<number> => {
  const isStart = status === 'on';
  const restartedAt = isStart ? new Date(Math.floor(at.getTime() / 1000) * 1000) : at;
  return closeAll(pool, {
    condition: `s.nas = $1 and s.started_at ${isStart ? '<' : '<='} $2
      and ($3::text is null or coalesce(s.apn, '') = '' or regexp_replace(s.apn, $4, '') = $3)`,
    values: [nas, restartedAt, apn ?? null, operatorIdentifier],
    cause: nasReboot,
    notBefore: restartedAt,
  });
};

/** Closes open sessions without a report for a day: their end was lost. Intake reopens a session that reports again. */
export const closeSilentSessions = (pool: pg.Pool, before: Date): Promise<number> =>
  closeAll(pool, { condition: 's.updated_at < $1', values: [before], cause: silence });

/**
 * Closes a session that its gateway does not know, as of the gateway's reply: reports from before it change nothing. Intake
 * reopens a session that reports later.
 */
export const closeLostSession = async (
  pool: pg.Pool,
  { simId, sessionKey }: { simId: number; sessionKey: number },
  repliedAt: Date,
): Promise<void> => {
  await closeAll(pool, {
    condition: 's.sim_id = $1 and s.session_key = $2',
    values: [simId, sessionKey],
    cause: lostService,
    notBefore: repliedAt,
  });
};

/**
 * Closes the open sessions of these SIMs and unregisters the SIMs, in the caller's transaction. Intake reopens a session that
 * goes on nevertheless.
 * @returns the closed sessions, for the Disconnects to the gateways
 */
export const resetSessions = async (
  tx: Sql,
  simIds: readonly number[],
  at: Date,
): Promise<{ simId: number; sessionKey: number }[]> => {
  const ended: { simId: number; sessionKey: number }[] = [];
  const condition = 's.sim_id = any($1::bigint[])';
  const criteria = { condition, values: [simIds], cause: adminReset, notBefore: at };
  for (let more = true; more; ) {
    const { closed, isLast } = await closeBatch(tx, criteria);
    for (const { sim_id, session_key } of closed) ended.push({ simId: sim_id, sessionKey: session_key });
    more = !isLast;
  }
  await unregister(tx, simIds, at);
  return ended;
};
