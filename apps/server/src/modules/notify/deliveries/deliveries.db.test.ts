import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { type DirectMail, MailRefused } from '../../../platform/mail/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { notifyModule } from '../index.ts';
import { newSecret, webhookHeaders } from '../targets/webhook-signing.ts';
import { notifyTargets } from './notifications.service.ts';

let database: Database;
let listener: Listener;
let orgId: number;
const start = '2026-11-21T12:00:00Z';
const clock = new FixedClock(start);
const vault = vaultOf(Buffer.alloc(32, 7));
const log = createLog({ level: 'silent', format: 'json' });
const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}
type Answer = (path: string, got: Got) => number | 'silence';
let answer: Answer;
let received: (Got & { path: string })[];
let server: Server;
let origin: string;

const closes: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  listener = createListener(database.url, log);
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const got = { headers: request.headers, body: Buffer.concat(pieces).toString() };
      received.push({ ...got, path: request.url ?? '' });
      const status = answer(request.url ?? '', got);
      if (status !== 'silence') response.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [{ id: orgId }] = (await query(
    `insert into organisations (code, name, country) values ('own', 'Northwind', 'DE') returning id`,
  )) as [{ id: number }];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await listener.close();
  await database.close();
});
beforeEach(() => {
  clock.set(start);
  received = [];
  letters.length = 0;
  answer = () => 200;
});
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
  await query('truncate notification_targets, notifications, delivery_lanes, users cascade');
});

const letters: DirectMail[] = [];
let refuse: ((letter: DirectMail) => MailRefused | undefined) | undefined;
const deliver = async (): Promise<void> => {
  const module = notifyModule({ pool: database.pool, clock, vault });
  const delivering = await module.startDelivering({
    listener,
    mailer: {
      send: async (letter) => {
        const refusal = refuse?.(letter);
        if (refusal) throw refusal;
        letters.push(letter);
      },
    },
    outbound: createOutbound({ allowedNetworks: ['127.0.0.1/32'], keepAlive: true }),
    log,
    metrics: createMetrics(),
  });
  closes.push(delivering.stop);
};
const later = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await query('notify deliveries');
};

const secret = newSecret();
const makeTarget = async (
  kind: 'email' | 'sms' | 'api',
  address: string,
  ownerId?: string,
): Promise<number> => {
  const [{ id }] = (await query(
    `insert into notification_targets (org_id, kind, name, addresses, owner_id, language)
     values ($1, $2, 'Target ' || $3, array[$3], $4, 'es-ES') returning id`,
    [orgId, kind, address, ownerId ?? null],
  )) as [{ id: number }];
  if (kind === 'api')
    await query(`insert into target_secrets (target_id, sealed, created_at) values ($1, $2, now())`, [
      id,
      vault.seal(secret),
    ]);
  return id;
};
const tell = (...targets: number[]): Promise<string> =>
  inTransaction(database.pool, (tx) =>
    notifyTargets(
      tx,
      { orgId, kind: 'test', fields: { target_id: '1', target: 'Ops' }, at: clock.now() },
      targets,
    ),
  );
const makeOwner = async (): Promise<string> => {
  const [{ id }] = (await query(
    `insert into users (email, first_name, last_name, password_hash, locale)
     values ('ana@example.test', 'Ana', 'Ruiz', '-', 'zh-TW') returning id`,
  )) as [{ id: string }];
  await query(`insert into memberships (org_id, user_id, role) values ($1, $2, 'admin')`, [orgId, id]);
  return id;
};
const deliveries = (target: number | null = null) =>
  query(
    `select state, attempts, fault, status from deliveries where target_id is not distinct from $1 order by id`,
    [target],
  );
const attempts = (target: number) =>
  query(
    `select a.number, a.fault, a.status from delivery_attempts a join deliveries d on d.id = a.delivery_id
     where d.target_id = $1 order by d.id, a.number`,
    [target],
  );

describe('a notification', () => {
  it('reaches an API target as a signed request, once its transaction has committed', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/hook`);
    const undone = inTransaction(database.pool, async (tx) => {
      await notifyTargets(
        tx,
        { orgId, kind: 'test', fields: { target_id: '1', target: 'X' }, at: clock.now() },
        [target],
      );
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    const id = await tell(target);
    await expect
      .poll(() => deliveries(target))
      .toEqual([{ state: 1, attempts: 1, fault: null, status: 200 }]);
    expect(received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(JSON.parse(body)).toEqual({
      type: 'test',
      timestamp: '2026-11-21T12:00:00.000Z',
      data: { target_id: '1', target: 'Ops' },
    });
    expect(headers).toMatchObject(webhookHeaders({ id, at: clock.now(), body }, [secret]));
    expect(await attempts(target)).toEqual([{ number: 1, fault: null, status: 200 }]);
  });

  it('is a mail in the language of the account with the address, else in that of the target', async () => {
    await deliver();
    await makeOwner();
    await tell(await makeTarget('email', 'ana@example.test'), await makeTarget('email', 'who@example.test'));
    await expect.poll(() => letters.length).toBe(2);
    const sent = new Map(letters.map(({ to, language, content }) => [to, [language, content.subject]]));
    expect(sent).toEqual(
      new Map([
        ['ana@example.test', ['zh-TW', 'SimCube 測試通知']],
        ['who@example.test', ['es-ES', 'Notificación de prueba de SimCube']],
      ]),
    );
  });

  it('to phones fails immediately if no messages can be sent, with the reason', async () => {
    await deliver();
    const target = await makeTarget('sms', '4915112345678');
    await tell(target);
    const failed = [{ state: 2, attempts: 1, fault: 'unavailable', status: null }];
    await expect.poll(() => deliveries(target)).toEqual(failed);
  });

  it('to an address that the mail server refuses is not retried, and others are', async () => {
    await deliver();
    refuse = ({ to }) =>
      to === 'no@example.test' ? new MailRefused('no', { concerns: 'address', isFinal: true }) : undefined;
    const [no, yes] = [
      await makeTarget('email', 'no@example.test'),
      await makeTarget('email', 'yes@example.test'),
    ];
    await tell(no, yes);
    await expect
      .poll(() => deliveries(no))
      .toEqual([{ state: 2, attempts: 1, fault: 'refused', status: null }]);
    await expect.poll(() => deliveries(yes)).toMatchObject([{ state: 1 }]);
    refuse = undefined;
  });
});

describe('a delivery that fails', () => {
  it('because the mail server rejects this mail delays no other mail, and is not retried', async () => {
    await deliver();
    refuse = ({ to }) =>
      to === 'no@example.test' ? new MailRefused('554', { concerns: 'mail', isFinal: true }) : undefined;
    const [no, yes] = [
      await makeTarget('email', 'no@example.test'),
      await makeTarget('email', 'yes@example.test'),
    ];
    for (let n = 0; n < 12; n += 1) await tell(no);
    const failed = { state: 2, attempts: 1, fault: 'content', status: null };
    await expect.poll(() => deliveries(no)).toEqual(Array.from({ length: 12 }, () => failed));
    await tell(yes);
    await expect.poll(() => deliveries(yes)).toMatchObject([{ state: 1 }]);
    expect(await query('select failures from delivery_lanes where failures > 0')).toEqual([]);
    refuse = undefined;
  });

  it('is tried again later with the same id and body', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/hook`);
    answer = () => (received.length === 1 ? 503 : 204);
    await tell(target);
    const waiting = [{ state: 0, attempts: 1, fault: 'status', status: 503 }];
    await expect.poll(() => deliveries(target)).toEqual(waiting);
    await later(4000);
    expect(received).toHaveLength(1);
    await later(2000);
    await expect
      .poll(() => deliveries(target))
      .toEqual([{ state: 1, attempts: 2, fault: null, status: 204 }]);
    const [first, second] = received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect((await attempts(target)).map(({ status }) => status)).toEqual([503, 204]);
  });

  it('limits its target to single probes, notifies the owner once, and resumes fully when it works', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/dead`, await makeOwner());
    answer = () => 500;
    for (let n = 0; n < 12; n += 1) await tell(target);
    await expect
      .poll(() => letters.map(({ to, content }) => [to, content.subject]))
      .toEqual([['ana@example.test', `通知無法送達 Target ${origin}/dead`]]);
    const before = received.length;
    // At most the window that it had when it died.
    expect(before).toBeLessThan(10);
    await later(60_000);
    await expect.poll(() => received.length).toBe(before + 1);
    await later(1000);
    answer = () => 200;
    await later(60_000);
    await expect
      .poll(async () => (await deliveries(target)).filter(({ state }) => state === 1).length)
      .toBe(12);
    expect(letters).toHaveLength(1);
  });

  it('delays no other target', async () => {
    await deliver();
    const dead = await makeTarget('api', `${origin}/dead`);
    const live = await makeTarget('api', `${origin}/live`);
    answer = (path) => (path === '/dead' ? 'silence' : 200);
    for (let n = 0; n < 50; n += 1) await tell(dead);
    for (let n = 0; n < 50; n += 1) await tell(live);
    await expect
      .poll(async () => (await deliveries(live)).filter(({ state }) => state === 1).length)
      .toBe(50);
    expect((await deliveries(dead)).filter(({ state }) => state !== 0)).toEqual([]);
    expect(received.filter(({ path }) => path === '/dead').length).toBeLessThanOrEqual(4);
  });

  it('for a whole day pauses its target, gives up waiting deliveries and notifies the owner', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/dead`, await makeOwner());
    answer = () => 500;
    await query(
      `insert into delivery_lanes (lane, failures, failing_since, next_try_at, told_at) values ($1, 40, $2, $3, $3)`,
      [target, '2026-11-20T11:00:00Z', start],
    );
    await tell(target);
    await tell(target);
    await expect
      .poll(() => query('select paused_for from notification_targets'))
      .toEqual([{ paused_for: 'failing' }]);
    expect((await deliveries(target)).map(({ state, fault }) => [state, fault])).toEqual([
      [2, 'paused'],
      [2, 'paused'],
    ]);
    await expect
      .poll(() => letters.map(({ content }) => content.title))
      .toEqual([`API 目標 Target ${origin}/dead 已暫停`]);
    const actions = await query(`select action, actor_kind from audit_entries where subject_id = $1`, [
      String(target),
    ]);
    expect(actions).toEqual([{ action: 'api-target.paused', actor_kind: 'system' }]);
    await tell(target);
    expect((await deliveries(target)).at(-1)).toMatchObject({ state: 2, attempts: 0, fault: 'paused' });
  });

  it('after a pause in which nothing was tried begins a new series, and does not pause its target', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/dead`);
    answer = () => 500;
    await query(
      `insert into delivery_lanes (lane, failures, failing_since, next_try_at, failed_at) values ($1, 40, $2, $3, $3)`,
      [target, '2026-11-20T11:00:00Z', '2026-11-21T07:00:00Z'],
    );
    await tell(target);
    await expect
      .poll(() => query('select failures, failing_since, failed_at from delivery_lanes'))
      .toEqual([{ failures: 1, failing_since: clock.now(), failed_at: clock.now() }]);
    expect(await query('select paused_for from notification_targets')).toEqual([{ paused_for: null }]);
    expect(await deliveries(target)).toMatchObject([{ state: 0, attempts: 1 }]);
  });

  it('with 410 pauses its target immediately', async () => {
    await deliver();
    const target = await makeTarget('api', `${origin}/gone`);
    answer = () => 410;
    await tell(target);
    await expect
      .poll(() => query('select paused_for from notification_targets'))
      .toEqual([{ paused_for: 'gone' }]);
    expect(await deliveries(target)).toEqual([{ state: 2, attempts: 1, fault: 'gone', status: 410 }]);
  });

  it('to an address in the own network is not sent', async () => {
    await deliver();
    const target = await makeTarget('api', 'https://169.254.169.254/latest/meta-data');
    await tell(target);
    const failed = [{ state: 0, attempts: 1, fault: 'address', status: null }];
    await expect.poll(() => deliveries(target)).toEqual(failed);
  });
});

describe('a process that dies', () => {
  it('leaves its delivery to another, which repeats it with the same id and retains the first attempt', async () => {
    const target = await makeTarget('api', `${origin}/hook`);
    await tell(target);
    expect(await runProgram('deliver-steps', [database.url])).toBe('SIGKILL');
    expect(received).toHaveLength(1);
    expect(await deliveries(target)).toMatchObject([{ state: 0, attempts: 1 }]);
    await deliver();
    await later(61_000);
    await expect.poll(() => deliveries(target)).toMatchObject([{ state: 1, attempts: 2 }]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await attempts(target)).toEqual([
      { number: 1, fault: 'interrupted', status: null },
      { number: 2, fault: null, status: 200 },
    ]);
  });
});
