import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MailServer, startMailServer } from '../../testing/mail-server.ts';
import { runProgram } from '../../testing/run-program.ts';
import { FixedClock } from '../clock/index.ts';
import type { Database } from '../db/index.ts';
import { startWorker } from '../jobs/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { vaultOf } from '../secrets/index.ts';
import { createDirectMailer, createMail, type MailMessage, mailJobs } from './index.ts';
import { isOfAddress, smtpOptions } from './transport.ts';

let database: Database;
const vault = vaultOf(Buffer.alloc(32, 7));
const clock = new FixedClock('2026-11-21T12:00:00Z');
const from = { name: 'SimCube', address: 'simcube@example.test' };
const mail = createMail({ vault, clock, from, publicUrl: () => 'https://sim.example.test' });
const reset: MailMessage = {
  to: 'bea@example.test',
  language: 'en-US',
  template: 'password-reset',
  values: { name: 'Bea', minutes: 30 },
  link: { path: '/login', fragment: { reset: 'T0ken', email: 'bea@example.test' } },
};

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
  await database.pool.query('delete from graphile_worker._private_jobs');
});

const startPeer = async (options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> => {
  const server = await startMailServer(options);
  closes.push(server.close);
  return server;
};

const startSending = async (
  smtpUrl: string,
  destination: { write: (line: string) => void } = { write: () => undefined },
): Promise<void> => {
  const log = createLog({ level: 'info', format: 'json', destination });
  const settings = { smtpUrl, from, directory: '/nonexistent' };
  const handlers = mailJobs({ vault, clock, settings, log });
  const worker = await startWorker({
    pool: database.pool,
    handlers,
    concurrency: 1,
    log,
    metrics: createMetrics(),
  });
  closes.push(worker.stop);
};

const job = async (): Promise<{ attempts: number; last_error: string | null; waits: boolean } | undefined> =>
  (
    await database.pool.query(
      `select attempts, last_error, run_at > now() and locked_at is null as waits from graphile_worker.jobs`,
    )
  ).rows[0];

describe('a real mail server', () => {
  it('accepts a mail with user and password, over TLS if offered', async () => {
    const peer = await startPeer({ password: 'p@ss/word' });
    await startSending(`smtp://relay%40example.test:p%40ss%2Fword@127.0.0.1:${peer.port}`);
    await mail.queue(database.pool, reset);
    await expect.poll(() => peer.received.length, { timeout: 20_000 }).toBe(1);
    const [got] = peer.received;
    expect(got).toMatchObject({ sender: from.address, receivers: ['bea@example.test'], secure: true });
    expect(got?.mail.subject).toBe('Reset your SimCube password');
    expect(got?.mail.text).toContain(
      'https://sim.example.test/en-US/login#reset=T0ken&email=bea%40example.test',
    );
    expect(got?.mail.messageId).toMatch(/^<[0-9a-f-]{36}@example\.test>$/);
    await expect.poll(job).toBeUndefined();
  });

  it('gets the mail once after an outage', async () => {
    const gone = await startPeer();
    for (const close of closes.splice(0)) await close();
    await startSending(`smtp://127.0.0.1:${gone.port}`);
    await mail.queue(database.pool, reset);
    await expect.poll(job, { timeout: 20_000 }).toMatchObject({ attempts: 1, waits: true });
    expect((await job())?.last_error).toMatch(/did not accept a mail: E[A-Z]+ CONN$/);

    const peer = await startPeer({ port: gone.port });
    await database.pool.query('update graphile_worker._private_jobs set run_at = now()');
    await expect.poll(() => peer.received.length, { timeout: 20_000 }).toBe(1);
    await expect.poll(job).toBeUndefined();
    expect(peer.received).toHaveLength(1);
  });

  it('may reject a mail for now: it waits for a retry, without recipient or token in the error', async () => {
    const peer = await startPeer({ refuse: 'for now' });
    await startSending(`smtp://127.0.0.1:${peer.port}`);
    await mail.queue(database.pool, reset);
    await expect.poll(job, { timeout: 20_000 }).toMatchObject({ attempts: 1, waits: true });
    const error = (await job())?.last_error ?? '';
    expect(error).toContain('450');
    expect(error).not.toContain('bea@');
    expect(error).not.toContain('T0ken');
  });

  it('may reject a mail for good: it is dropped at once, and the log has the reply', async () => {
    const lines: string[] = [];
    const peer = await startPeer({ refuse: 'address' });
    await startSending(`smtp://127.0.0.1:${peer.port}`, { write: (line) => lines.push(line) });
    await mail.queue(database.pool, reset);
    await expect.poll(() => lines.join(''), { timeout: 20_000 }).toContain('rejected for good');
    expect(lines.join('')).toContain('550');
    expect(lines.join('')).not.toContain('bea@');
    await expect.poll(job).toBeUndefined();
  });

  it('may reject all mails of this server: they wait until its settings are corrected', async () => {
    const peer = await startPeer({ refuse: 'sender' });
    await startSending(`smtp://127.0.0.1:${peer.port}`);
    await mail.queue(database.pool, reset);
    await expect.poll(job, { timeout: 20_000 }).toMatchObject({ attempts: 1, waits: true });
  });

  it.each([
    ['550 5.1.1 <bea@example.test>: user unknown', true],
    ['550-5.1.1 The account does not exist.', true],
    ['552 5.2.1 mailbox disabled', true],
    ['550 no such user', true],
    ['553 mailbox name not allowed', true],
    ['550 5.7.1 relaying denied', false],
    ['554 5.7.1 <bea@example.test>: Relay access denied', false],
    ['550 relay not permitted', false],
    ['550 5.4.1 recipient address rejected: access denied', false],
    ['554 sender not authorised', false],
    ['450 4.2.1 mailbox busy', false],
  ])('rejects an address for good by %s: %s', (reply, isFinal) => {
    expect(isOfAddress(reply)).toBe(isFinal);
  });

  it('may reject an address, a mail or this server, which is distinguished', async () => {
    for (const [refuse, concerns] of [
      ['address', 'address'],
      ['for now', 'address'],
      ['mail', 'mail'],
      ['sender', 'server'],
    ] as const) {
      const peer = await startPeer({ refuse });
      const settings = { smtpUrl: `smtp://127.0.0.1:${peer.port}`, from, directory: '' };
      const letters = createDirectMailer({ settings, publicUrl: () => 'https://sim.example.test' });
      const letter = { to: 'bea@example.test', id: `n.${concerns}`, queuedAt: clock.now(), path: '/' };
      const content = { subject: 'S', preview: 'P', title: 'T', body: 'B', note: 'N' };
      await expect(letters.send({ ...letter, language: 'en-US', content })).rejects.toMatchObject({
        concerns,
        isFinal: refuse === 'address',
      });
    }
  });

  it('gets a second copy with the same Message-ID if the worker dies after sending', async () => {
    const peer = await startPeer();
    const args = [database.url, `smtp://127.0.0.1:${peer.port}`];
    await mail.queue(database.pool, reset);
    expect(await runProgram('mail-steps', [...args, 'die'])).toBe('SIGKILL');
    expect(peer.received).toHaveLength(1);
    const again = runProgram('mail-steps', [...args, 'work']);
    await database.pool.query('update graphile_worker._private_jobs set run_at = now()');
    expect(await again).toBe(0);
    const [first, second, ...more] = peer.received.map((got) => got.mail);
    expect(more).toEqual([]);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.html).toBe(first?.html);
    expect(second?.date).toBe(first?.date);
    expect(await job()).toBeUndefined();
  });
});

describe('the address of the mail server', () => {
  it('requires verified TLS, except for the local machine', () => {
    expect(smtpOptions('smtp://mx.example.com')).toMatchObject({
      host: 'mx.example.com',
      port: 587,
      secure: false,
      requireTLS: true,
      tls: { rejectUnauthorized: true },
    });
    expect(smtpOptions('smtps://u:p%3A@mx.example.com')).toMatchObject({
      port: 465,
      secure: true,
      auth: { user: 'u', pass: 'p:' },
      tls: { rejectUnauthorized: true },
    });
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(smtpOptions(`smtp://${host}:2525`)).toMatchObject({
        requireTLS: false,
        tls: { rejectUnauthorized: false },
      });
    }
    expect(smtpOptions('smtp://127.0.0.1.example.com')).toMatchObject({ requireTLS: true });
    expect(smtpOptions('smtp://relay.internal:25?tls=optional')).toMatchObject({
      requireTLS: false,
      tls: { rejectUnauthorized: true },
    });
  });
});
