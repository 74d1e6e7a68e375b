import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Actor, Authentication, SessionPrincipal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { normaliseAddress } from '../../org/index.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import { findUser } from '../people/people.queries.ts';
import { nameOf } from '../people/people.rules.ts';
import { SessionCache } from './sessions.cache.ts';
import {
  type EndReason,
  endSession,
  endSessionsBeyond,
  endSessionsExcept,
  findSession,
  findSessionDurations,
  insertSession,
  type SessionRow,
  touchSession,
} from './sessions.queries.ts';
import {
  isSessionExpired,
  isSessionToken,
  isTouchDue,
  sessionsPerUser,
  sessionTokenOf,
} from './sessions.rules.ts';

export type SessionService = ReturnType<typeof createSessions>;

export const createSessions = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  const cache = new SessionCache();

  const read = async (token: string): Promise<SessionRow | undefined> => {
    const hash = hashToken(token);
    const key = hash.toString('base64');
    const now = clock.now();
    const known = cache.find(key, now);
    if (known) return known;
    const { generation } = cache;
    const session = await findSession(pool, hash);
    if (session) cache.store(key, session, { now, generation });
    return session;
  };

  const touch = async (session: SessionRow): Promise<void> => {
    const now = clock.now();
    if (!isTouchDue(session, now)) return;
    const { lastUsedAt } = session;
    // Set before the write, so that concurrent calls cause only one.
    session.lastUsedAt = now;
    await touchSession(pool, session.id, now).catch((error: Error) => {
      session.lastUsedAt = lastUsedAt;
      throw error;
    });
  };

  const inspect = async (token: string | undefined) => {
    if (!token) return { kind: 'missing' } as const;
    if (!isSessionToken(token)) return { kind: 'unknown' } as const;
    const session = await read(token);
    if (!session) return { kind: 'unknown' } as const;
    return { kind: stateOf(session, clock.now()), session } as const;
  };

  const record = async (
    tx: Sql,
    ended: { userId: string; actor: Actor; id: string; after?: Record<string, unknown> },
  ): Promise<void> => {
    const user = (await findUser(tx, ended.userId)) ?? fail('CB-00-0401');
    const { actor, id, after } = ended;
    await recordPersonAudit(tx, {
      user,
      actor,
      at: clock.now(),
      subject: { kind: 'session', id, name: nameOf(user) },
      ...(after && { after }),
    });
  };

  /** @returns the number that were open: 1 or 0 */
  const end = async (
    { userId, actor, reason }: { userId: string; actor: Actor; reason: EndReason },
    sessionId: string,
  ): Promise<number> => {
    const ended = await inTransaction(pool, async (tx) => {
      const count = await endSession(tx, sessionId, { userId, reason, now: clock.now() });
      if (count > 0) await record(tx, { userId, actor, id: sessionId });
      return count;
    });
    // This process need not wait for its own notification.
    cache.forget(sessionId);
    return ended;
  };

  return {
    /** Another process ended a session; an empty id means that notifications may have been missed. */
    onSessionEnded(sessionId: string): void {
      if (sessionId) cache.forget(sessionId);
      else cache.listen();
    },

    /** Checks the token of a call, which counts as use and slides the session. */
    async authenticate(token: string | undefined): Promise<Authentication> {
      const found = await inspect(token);
      if (found.kind !== 'ok') return { kind: found.kind };
      await touch(found.session);
      return { kind: 'ok', principal: principalOf(found.session) };
    },

    /** Checks a token without using it: an open stream does not keep a session alive. */
    async check(token: string | undefined): Promise<Authentication> {
      const found = await inspect(token);
      return found.kind === 'ok'
        ? { kind: 'ok', principal: principalOf(found.session) }
        : { kind: found.kind };
    },

    /** Durations of the person's sessions. */
    durations: (userId: string) => findSessionDurations(pool, userId),

    /** Drops cached sessions of a person; other processes are notified of ended sessions. */
    forgetPerson: (userId: string): void => cache.forgetPerson(userId),

    /** Begins a session; the token is returned only now and stored only as its hash. */
    async begin(
      tx: Sql,
      from: { userId: string; address: string | null; userAgent: string | undefined },
    ): Promise<{ token: string; sessionId: string }> {
      const now = clock.now();
      const { userId, userAgent } = from;
      const token = sessionTokenOf(randomBytes(32));
      const address = from.address === null ? null : normaliseAddress(from.address);
      const session = { userId, tokenHash: hashToken(token), now, address, userAgent };
      const sessionId = await insertSession(tx, session);
      await endSessionsBeyond(tx, sessionsPerUser, { userId, reason: 'too many sessions', now });
      return { token, sessionId };
    },

    async signOut({ userId, sessionId }: SessionPrincipal, actor: Actor): Promise<void> {
      await end({ userId, actor, reason: 'signed out' }, sessionId);
    },

    /**
     * Ends one of the person's own sessions; ending the current one signs out.
     * @throws Failure CB-00-0404
     */
    async revoke(
      principal: SessionPrincipal,
      { sessionId, actor }: { sessionId: string; actor: Actor },
    ): Promise<void> {
      const { userId } = principal;
      const reason = sessionId === principal.sessionId ? 'signed out' : 'revoked';
      if ((await end({ userId, actor, reason }, sessionId)) === 0) fail('CB-00-0404');
    },

    /** Ends all of the person's sessions except the current one. */
    async revokeOthers({ userId, sessionId }: SessionPrincipal, actor: Actor): Promise<void> {
      await inTransaction(pool, async (tx) => {
        const ending = { userId, reason: 'revoked', now: clock.now() } as const;
        const ended = await endSessionsExcept(tx, sessionId, ending);
        if (ended > 0) await record(tx, { userId, actor, id: 'others', after: { ended } });
      });
      cache.forgetPerson(userId);
    },
  };
};

/** Signing out counts as expiry, because the browser that did it knows. All other ends happened elsewhere. */
const stateOf = (session: SessionRow, now: Date): 'ok' | 'expired' | 'ended' => {
  if (session.endedAt) return session.endReason === 'signed out' ? 'expired' : 'ended';
  if (session.disabledAt) return 'ended';
  return isSessionExpired(session, now) ? 'expired' : 'ok';
};

const principalOf = ({ userId, email, name, id, createdAt }: SessionRow): SessionPrincipal => ({
  userId,
  email,
  name,
  sessionId: id,
  sessionBeganAt: createdAt,
});
