import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Authentication, Principal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import {
  endSession,
  endSessionsBeyond,
  findSession,
  insertSession,
  type SessionRow,
  touchSession,
} from '../people/people.queries.ts';
import { isTokenForm, sessionExpired, sessionsPerUser, tokenOf, touchIsDue } from '../people/people.rules.ts';
import { SessionCache } from './sessions.cache.ts';

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
    if (session) cache.keep(key, session, { now, generation });
    return session;
  };

  const touch = async (session: SessionRow): Promise<void> => {
    const now = clock.now();
    if (!touchIsDue(session, now)) return;
    // Before the write, so that calls that come together cause one.
    session.lastUsedAt = now;
    await touchSession(pool, session.id, now);
  };

  const inspect = async (token: string | undefined) => {
    if (!token) return { kind: 'missing' } as const;
    if (!isTokenForm(token)) return { kind: 'unknown' } as const;
    const session = await read(token);
    if (!session) return { kind: 'unknown' } as const;
    return { kind: stateOf(session, clock.now()), session } as const;
  };

  return {
    /** A process said that a session was ended; an empty id says that some of it may have been missed. */
    heard(sessionId: string): void {
      if (sessionId) cache.forget(sessionId);
      else cache.listen();
    },

    /** Judges the token of a call and, as the call is a use of it, slides the session. */
    async authenticate(token: string | undefined): Promise<Authentication> {
      const found = await inspect(token);
      if (found.kind !== 'ok') return { kind: found.kind };
      await touch(found.session);
      return { kind: 'ok', principal: principalOf(found.session) };
    },

    /** Judges a token without using it: an open stream does not keep a session alive. */
    async check(token: string | undefined): Promise<Authentication> {
      const found = await inspect(token);
      return found.kind === 'ok'
        ? { kind: 'ok', principal: principalOf(found.session) }
        : { kind: found.kind };
    },

    /** Begins a session; the token is returned this once and stored only as its hash. */
    async begin(
      tx: Sql,
      { userId, address }: { userId: string; address: string | undefined },
    ): Promise<string> {
      const now = clock.now();
      const token = tokenOf(randomBytes(32));
      await insertSession(tx, { userId, tokenHash: hashToken(token), now, address });
      await endSessionsBeyond(tx, sessionsPerUser, { userId, reason: 'too many sessions', now });
      return token;
    },

    async signOut({ userId, sessionId }: Principal): Promise<void> {
      await inTransaction(pool, (tx) =>
        endSession(tx, sessionId, { userId, reason: 'signed out', now: clock.now() }),
      );
      // This process need not wait for its own notification.
      cache.forget(sessionId);
    },
  };
};

/** Signing out oneself is like expiry: the browser that did it knows. Everything else was done elsewhere. */
const stateOf = (session: SessionRow, now: Date): 'ok' | 'expired' | 'ended' => {
  if (session.endedAt) return session.endReason === 'signed out' ? 'expired' : 'ended';
  if (session.disabledAt) return 'ended';
  return sessionExpired(session, now) ? 'expired' : 'ok';
};

const principalOf = ({ userId, email, name, id }: SessionRow): Principal => ({
  userId,
  email,
  name,
  sessionId: id,
});
