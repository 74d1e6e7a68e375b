import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { connectionNumbers, connectionOf } from '../../sim/index.ts';
import { monthsKept } from '../../usage/index.ts';
import { defaultInterimSeconds } from '../aaa.clients.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';

/** SIMs changed in one transaction: intake must not wait long for any of them. */
const chunk = 2000;
const rejectsKeptDays = 30;
const { unknown, online, connected, offline } = connectionNumbers;

/*
 * Semantics, "SIM lifecycle": online is an open session with an update within two interim intervals; after that the
 * SIM is only connected, offline after 24 hours of silence, unknown after 30 days.
 */
const steps = [
  {
    to: connected,
    which: `l.connection = ${online} and l.last_seen_at < $1::timestamptz - 2 * make_interval(secs => coalesce((
      select max(c.interim_seconds) from radius_sessions s join radius_clients c on c.id = s.client_id
      where s.sim_id = l.sim_id and s.stopped_at is null), ${defaultInterimSeconds}))`,
  },
  {
    to: offline,
    which: `l.connection = ${connected} and l.last_seen_at < $1::timestamptz - interval '24 hours'`,
  },
  {
    to: unknown,
    which: `l.connection in (${connected}, ${offline}) and l.last_seen_at < $1::timestamptz - interval '30 days'`,
  },
] as const;

/** @returns how many SIMs changed */
export const sweepConnections = async (pool: pg.Pool, now: Date): Promise<number> => {
  let total = 0;
  for (const step of steps) {
    // Each chunk begins behind the last one: looking at all that is done once more would take longer and longer.
    let swept = { sims: chunk, last: 0 };
    while (swept.sims === chunk) {
      const { last } = swept;
      swept = await inTransaction(pool, (tx) => sweepOnce(tx, { ...step, after: last }, now));
      total += swept.sims;
    }
  }
  return total;
};

const sweepOnce = async (
  tx: pg.PoolClient,
  { to, which, after }: (typeof steps)[number] & { after: number },
  now: Date,
): Promise<{ sims: number; last: number }> => {
  const { rows } = await tx.query<{ org_id: number; iccids: string[]; last: number }>(
    `with silent as (
       select l.sim_id from sim_live l where l.sim_id > $2 and ${which}
       order by l.sim_id limit ${chunk} for update skip locked),
     swept as (
       update sim_live l set connection = ${to}, connection_since = $1 from silent where l.sim_id = silent.sim_id
       returning l.sim_id, l.org_id)
     select w.org_id, array_agg(s.iccid) as iccids, max(w.sim_id) as last
     from swept w join sims s on s.id = w.sim_id group by w.org_id`,
    [now, after],
  );
  const facts = rows.flatMap(({ org_id, iccids }) =>
    Array.from({ length: Math.ceil(iccids.length / changesPerFact) }, (_, part) => ({
      orgId: org_id,
      payload: {
        at: now.toISOString(),
        changes: [
          {
            iccids: iccids.slice(part * changesPerFact, (part + 1) * changesPerFact),
            status: connectionOf(to),
            kinds: [],
          },
        ],
      },
    })),
  );
  await emitMany(tx, sessionChanged, facts);
  return {
    sims: rows.reduce((sum, { iccids }) => sum + iccids.length, 0),
    last: Math.max(after, ...rows.map(({ last }) => last)),
  };
};

/** Closed sessions whose records are no longer kept either. */
export const dropOldSessions = async (pool: pg.Pool, now: Date): Promise<number> => {
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsKept.cdrs, 1));
  const { rowCount } = await pool.query(
    `delete from radius_sessions where (sim_id, session_key) in (
       select sim_id, session_key from radius_sessions where stopped_at < $1 limit 50000)`,
    [before],
  );
  return rowCount ?? 0;
};

export const trimRejects = async (pool: pg.Pool, now: Date): Promise<void> => {
  await pool.query(
    `delete from radius_rejects where id in (
       select id from radius_rejects where at < $1 order by at limit 100000)`,
    [new Date(now.getTime() - rejectsKeptDays * 86_400_000)],
  );
};
