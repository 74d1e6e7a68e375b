import type pg from 'pg';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { connectionNumbers, recordSimEvents, simEvent } from '../../sim/index.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';
import { silence } from '../intake/causes.ts';

const { online, connected, offline } = connectionNumbers;

/** Rows closed in one transaction: intake must not wait long for any of them. */
const chunk = 1000;

interface ClosedRow {
  sim_id: number;
  session_key: number;
  iccid: string;
  org_id: number;
  /** Whose the SIM was when the session began: there its end is reported. */
  session_org_id: number;
  acct_session_id: string;
  cause: string;
  bytes: number;
  at: Date;
}

const closing = (which: string, cause: string) => `
  with ended as (
    select s.sim_id, s.session_key from radius_sessions s where s.stopped_at is null and ${which}
    order by s.sim_id limit ${chunk} for update of s),
  closed as (
    update radius_sessions s set stopped_at = greatest(s.started_at, s.updated_at), terminate_cause = '${cause}',
      updates = s.updates + 1
    from ended e, sims i
    where s.sim_id = e.sim_id and s.session_key = e.session_key and i.id = s.sim_id
    returning s.sim_id, s.session_key, i.org_id, i.iccid, s.org_id as session_org_id, s.acct_session_id,
      s.terminate_cause, s.up_bytes + s.down_bytes as bytes),
  gone as (
    update sim_live l set connection = ${offline}, connection_since = clock_timestamp()
    from (select distinct sim_id from closed) c
    where l.sim_id = c.sim_id and l.connection <> ${offline} and not exists (
      select 1 from radius_sessions o where o.sim_id = c.sim_id and o.stopped_at is null and not exists (
        select 1 from closed k where k.sim_id = o.sim_id and k.session_key = o.session_key)))
  select sim_id, session_key, iccid, org_id, session_org_id, acct_session_id, terminate_cause as cause, bytes,
    clock_timestamp() as at
  from closed`;

const closeWhere = async (pool: pg.Pool, statement: string, values: readonly unknown[]): Promise<number> => {
  for (let total = 0; ; ) {
    const closed = await inTransaction(pool, (tx) => closeChunk(tx, statement, values));
    total += closed.length;
    if (closed.length < chunk) return total;
  }
};

const closeChunk = async (tx: Sql, statement: string, values: readonly unknown[]): Promise<ClosedRow[]> => {
  const { rows } = await tx.query<ClosedRow>(statement, [...values]);
  await recordSimEvents(
    tx,
    rows.map(({ sim_id, session_org_id, acct_session_id, cause, bytes, at }) => ({
      simId: sim_id,
      orgId: session_org_id,
      at,
      ...simEvent('session-stopped', { session: acct_session_id, cause, bytes }),
    })),
  );
  await emitMany(tx, sessionChanged, factsOf(rows));
  return rows;
};

const factsOf = (rows: readonly ClosedRow[]) => {
  const byOrg = new Map<number, string[]>();
  const at = rows[0]?.at.toISOString() ?? '';
  for (const { iccid, org_id } of rows) {
    const iccids = byOrg.get(org_id);
    if (iccids) iccids.push(iccid);
    else byOrg.set(org_id, [iccid]);
  }
  return [...byOrg].flatMap(([orgId, iccids]) =>
    Array.from({ length: Math.ceil(iccids.length / changesPerFact) }, (_, part) => ({
      orgId,
      payload: {
        at,
        changes: [
          {
            iccids: iccids.slice(part * changesPerFact, (part + 1) * changesPerFact),
            status: 'offline' as const,
            kinds: ['session-stopped' as const],
          },
        ],
      },
    })),
  );
};

/** A gateway that restarted (Accounting-On, -Off) has none of its sessions any more (RFC 2866, 5.1). */
export const closeGatewaySessions = (
  pool: pg.Pool,
  gateway: { nas: string; before: Date },
): Promise<number> =>
  closeWhere(pool, closing('s.nas = $1 and s.started_at <= $2', 'NAS-Reboot'), [gateway.nas, gateway.before]);

/** An open session that nobody has spoken of for a day has lost its end. Intake takes it up again if it lives. */
export const closeSilentSessions = (pool: pg.Pool, before: Date): Promise<number> =>
  closeWhere(pool, closing('s.updated_at < $1', silence), [before]);

/** A session that its gateway says it does not have. */
export const closeLostSession = async (
  pool: pg.Pool,
  session: { simId: number; sessionKey: number },
): Promise<void> => {
  await closeWhere(pool, closing('s.sim_id = $1 and s.session_key = $2', 'Lost-Service'), [
    session.simId,
    session.sessionKey,
  ]);
};

/** RFC 2866, 5.10: the administrator has ended it. */
const byAdministrator = 'Admin-Reset';

/**
 * Closes the open sessions of these SIMs and takes back that they are registered, in the caller's transaction.
 * @returns what was closed, for the Disconnects to the gateways
 */
export const forgetSessions = async (
  tx: Sql,
  simIds: readonly number[],
  at: Date,
): Promise<{ simId: number; sessionKey: number }[]> => {
  const closed: { simId: number; sessionKey: number }[] = [];
  const statement = closing('s.sim_id = any($1::bigint[])', byAdministrator);
  for (let more = true; more; ) {
    const rows = await closeChunk(tx, statement, [simIds]);
    for (const { sim_id, session_key } of rows) closed.push({ simId: sim_id, sessionKey: session_key });
    more = rows.length === chunk;
  }
  // Authorised, or online without a session that we know of.
  await tx.query(
    `update sim_live l set connection = ${offline}, connection_since = $2
     from (select sim_id from sim_live where sim_id = any($1::bigint[]) and connection in (${online}, ${connected})
       order by sim_id for update) registered
     where l.sim_id = registered.sim_id`,
    [simIds, at],
  );
  return closed;
};
