import type pg from 'pg';
import { groupBy } from '../../../platform/collections/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { recordSimEvents, simEvent } from '../../sim/index.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';
import { lostService, nasReboot, silence } from '../intake/causes.ts';
import {
  type CloseCriteria,
  type ClosedSession,
  closeSessions,
  listSessionsToClose,
  markOffline,
  sessionsPerStatement,
  unregister,
} from './close-sessions.queries.ts';

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
  await markOffline(
    tx,
    closed.map(({ sim_id }) => sim_id),
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
  const at = closed[0]?.at.toISOString() ?? '';
  const facts = factsByOrganisation(
    groupBy(closed, (row) => row.org_id),
    changesPerFact,
    (part) => ({
      at,
      changes: [
        {
          iccids: part.map(({ iccid }) => iccid),
          status: 'offline' as const,
          kinds: ['session-stopped' as const],
        },
      ],
    }),
  );
  await emitMany(tx, sessionChanged, facts);
  return { closed, isLast };
};

/** Closes the sessions of a gateway that restarted (Accounting-On, -Off): it no longer has them (RFC 2866, 5.1). */
export const closeGatewaySessions = (
  pool: pg.Pool,
  { nas, before }: { nas: string; before: Date },
): Promise<number> =>
  closeAll(pool, {
    condition: 's.nas = $1 and s.started_at <= $2',
    values: [nas, before],
    cause: nasReboot,
  });

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
 * Closes the open sessions of these SIMs and unregisters the SIMs, in the caller's transaction.
 * @returns the closed sessions, for the Disconnects to the gateways
 */
export const resetSessions = async (
  tx: Sql,
  simIds: readonly number[],
  at: Date,
): Promise<{ simId: number; sessionKey: number }[]> => {
  const ended: { simId: number; sessionKey: number }[] = [];
  // RFC 2866, 5.10: ended by the administrator.
  const criteria = { condition: 's.sim_id = any($1::bigint[])', values: [simIds], cause: 'Admin-Reset' };
  for (let more = true; more; ) {
    const { closed, isLast } = await closeBatch(tx, criteria);
    for (const { sim_id, session_key } of closed) ended.push({ simId: sim_id, sessionKey: session_key });
    more = !isLast;
  }
  await unregister(tx, simIds, at);
  return ended;
};
