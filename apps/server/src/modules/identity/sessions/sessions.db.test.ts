import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import { connect, createListener, type Database, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertUser } from '../people/people.queries.ts';
import { sessionsChannel } from './sessions.queries.ts';
import { sessionsPerUser, touchEveryMs } from './sessions.rules.ts';
import { createSessions, type SessionService } from './sessions.service.ts';

const clock = new FixedClock('2026-05-01T08:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const address = '192.0.2.7';
const hour = 3600_000;
const sessionIdleMs = 12 * hour;
const sessionMaxMs = 7 * 24 * hour;
const actor: Actor = {
  kind: 'person',
  id: null,
  name: 'Ana Li',
  address,
  traceId: null,
  action: 'session.ended',
};
let database: Database;
let userId: string;
let users = 0;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  users += 1;
  const person = { firstName: 'Ana', lastName: 'Li', locale: 'en-US', passwordHash: 'unused' };
  userId = (await insertUser(database.pool, { ...person, email: `ana${users}@example.com` })) ?? '';
});

/** @returns the token */
const begin = async (sessions: SessionService): Promise<string> =>
  (await sessions.begin(database.pool, { userId, address, userAgent: 'Browser/1.0' })).token;

/** A separate server: with its own connections, cache and listener. */
const startServer = async () => {
  const own = connect({ url: database.url, max: 2, name: 'simcube test', onError: () => undefined });
  const listener: Listener = createListener(database.url, log);
  const sessions = createSessions({ pool: own.pool, clock });
  const heard: string[] = [];
  await listener.on(sessionsChannel, (id) => {
    sessions.onSessionEnded(id);
    heard.push(id);
  });
  sessions.onSessionEnded('');
  return {
    sessions,
    heard,
    stop: async () => {
      await listener.close();
      await own.close();
    },
  };
};

const lastUse = async () =>
  (await database.pool.query('select last_used_at from user_sessions where user_id = $1', [userId])).rows[0]
    ?.last_used_at;

describe('a token', () => {
  it('is identified by its hash, and only the hash is stored', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const token = await begin(sessions);
    const { rows } = await database.pool.query('select * from user_sessions where user_id = $1', [userId]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]).toMatchObject({ address, user_agent: 'Browser/1.0' });
    expect(await sessions.authenticate(token)).toEqual({
      kind: 'ok',
      principal: {
        userId,
        email: `ana${users}@example.com`,
        name: 'Ana Li',
        sessionId: rows[0].id,
        sessionBeganAt: clock.now(),
      },
    });
  });

  it('that is missing, malformed or foreign is distinguished', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    expect(await sessions.authenticate(undefined)).toEqual({ kind: 'missing' });
    expect(await sessions.authenticate('')).toEqual({ kind: 'missing' });
    expect(await sessions.authenticate("scs_' or 1=1")).toEqual({ kind: 'unknown' });
    expect(await sessions.authenticate(`scs_${'A'.repeat(43)}`)).toEqual({ kind: 'unknown' });
  });
});

describe('a session', () => {
  it('is extended by use, written once a minute, and ends twelve hours after the last', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const begun = clock.now();
    const token = await begin(sessions);
    clock.advance(touchEveryMs - 1);
    await sessions.authenticate(token);
    expect(await lastUse()).toEqual(begun);
    clock.advance(1);
    await sessions.authenticate(token);
    expect(await lastUse()).toEqual(clock.now());
    clock.advance(sessionIdleMs - 1);
    expect(await sessions.check(token)).toMatchObject({ kind: 'ok' });
    clock.advance(1);
    expect(await sessions.authenticate(token)).toEqual({ kind: 'expired' });
  });

  it('ends seven days after sign-in, however busy', async () => {
    const server = await startServer();
    const token = await begin(server.sessions);
    const end = clock.now().getTime() + sessionMaxMs;
    while (clock.now().getTime() + sessionIdleMs / 2 < end) {
      clock.advance(sessionIdleMs / 2);
      expect(await server.sessions.authenticate(token)).toMatchObject({ kind: 'ok' });
    }
    clock.set(new Date(end));
    expect(await server.sessions.authenticate(token)).toEqual({ kind: 'expired' });
    await server.stop();
  });

  it('is not extended by listing it', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const token = await begin(sessions);
    clock.advance(sessionIdleMs / 2);
    expect(await sessions.check(token)).toMatchObject({ kind: 'ok' });
    clock.advance(sessionIdleMs / 2);
    expect(await sessions.check(token)).toEqual({ kind: 'expired' });
  });

  it('of a disabled person has ended', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const token = await begin(sessions);
    await database.pool.query('update users set disabled_at = now() where id = $1', [userId]);
    expect(await sessions.authenticate(token)).toEqual({ kind: 'ended' });
  });

  it('is ended at sign-in when it is the oldest beyond the limit', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const tokens: string[] = [];
    for (let i = 0; i <= sessionsPerUser; i += 1) {
      clock.advance(1000);
      tokens.push(await begin(sessions));
    }
    const kinds = await Promise.all(tokens.map(async (token) => (await sessions.check(token)).kind));
    expect(kinds).toEqual(['ended', ...Array<string>(sessionsPerUser).fill('ok')]);
  });
});

describe('several servers', () => {
  it('end a session that another server has cached, immediately', async () => {
    const [one, two] = await Promise.all([startServer(), startServer()]);
    const token = await begin(one.sessions);
    const known = await two.sessions.authenticate(token);
    if (known.kind !== 'ok') throw new Error('not signed in');
    await one.sessions.signOut(known.principal, actor);
    await vi.waitFor(() => expect(two.heard).toContain(known.principal.sessionId));
    expect(await two.sessions.authenticate(token)).toEqual({ kind: 'expired' });
    expect(await one.sessions.authenticate(token)).toEqual({ kind: 'expired' });
    await Promise.all([one.stop(), two.stop()]);
  });

  it('trust a session removed without notification for at most thirty seconds', async () => {
    const server = await startServer();
    const token = await begin(server.sessions);
    await server.sessions.authenticate(token);
    await database.pool.query('delete from user_sessions where user_id = $1', [userId]);
    expect(await server.sessions.authenticate(token)).toMatchObject({ kind: 'ok' });
    clock.advance(30_000);
    expect(await server.sessions.authenticate(token)).toEqual({ kind: 'unknown' });
    await server.stop();
  });

  it('cache nothing without notifications', async () => {
    const sessions = createSessions({ pool: database.pool, clock });
    const token = await begin(sessions);
    await sessions.authenticate(token);
    await database.pool.query('delete from user_sessions where user_id = $1', [userId]);
    expect(await sessions.authenticate(token)).toEqual({ kind: 'unknown' });
  });

  it('read everything again after a gap in the notifications', async () => {
    const server = await startServer();
    const token = await begin(server.sessions);
    await server.sessions.authenticate(token);
    await database.pool.query('delete from user_sessions where user_id = $1', [userId]);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'simcube listen' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(server.heard).toContain(''), { timeout: 10_000 });
    expect(await server.sessions.authenticate(token)).toEqual({ kind: 'unknown' });
    await server.stop();
  });
});
