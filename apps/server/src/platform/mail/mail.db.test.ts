import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@simcube/contract/time';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { takeMails } from '../../testing/mail.ts';
import { FixedClock } from '../clock/index.ts';
import { type Database, inTransaction } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { vaultOf } from '../secrets/index.ts';
import { createMail, type MailMessage, mailJobs, sendMailJob } from './index.ts';

let database: Database;
let directory: string;
const clock = new FixedClock('2026-11-21T12:00:00.500Z');
const vault = vaultOf(Buffer.alloc(32, 7));
const from = { name: 'SimCube 连接', address: 'simcube@example.test' };
const token = 'T0ken-that-opens-an-account';
const log = createLog({ level: 'silent', format: 'json' });
const mail = createMail({ vault, clock, from, publicUrl: () => 'https://sim.example.test/console' });
const invitation: MailMessage = {
  to: 'bea@example.test',
  language: 'zh-CN',
  template: 'invitation',
  values: { inviter: '王伟', organisation: '北风', days: 7 },
  link: { path: '/login', fragment: { invitation: token, email: 'bea+1@example.test' } },
};

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'simcube-mail-'));
});

afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => clock.set('2026-11-21T12:00:00.500Z'));

const queue = (message: MailMessage) => inTransaction(database.pool, (tx) => mail.queue(tx, message));

/** Takes the payloads from the queue, as the worker would. */
const payloads = async (): Promise<unknown[]> => {
  const { rows } = await database.pool.query<{ payload: unknown }>(
    'delete from graphile_worker._private_jobs returning payload',
  );
  return rows.map(({ payload }) => payload);
};

const lines: string[] = [];
const listening = Object.assign(Object.create(log), {
  info: (fields: object, text: string) => lines.push(JSON.stringify({ ...fields, text })),
  error: (fields: object, text: string) => lines.push(JSON.stringify({ ...fields, text })),
}) as typeof log;

const handled = async (payload: unknown, folder: string): Promise<void> => {
  const settings = { smtpUrl: undefined, from, directory: folder };
  for (const { job, handle } of mailJobs({ vault, clock, settings, log: listening })) {
    expect(job.name).toBe(sendMailJob.name);
    await handle(payload, { signal: new AbortController().signal, log, attempt: 1 });
  }
};

describe('the queue', () => {
  it('contains a mail only after its transaction commits', async () => {
    const undone = inTransaction(database.pool, async (tx) => {
      await mail.queue(tx, invitation);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await takeMails({ database, vault })).toEqual([]);
    await queue(invitation);
    const [taken, ...rest] = await takeMails({ database, vault });
    expect(rest).toEqual([]);
    expect(taken).toMatchObject({ to: 'bea@example.test', subject: '王伟 邀请您加入 北风' });
    expect(taken?.link?.pathname).toBe('/console/zh-CN/login');
    expect(taken?.link?.search).toBe('');
    const fragment = new URLSearchParams(taken?.link?.hash.slice(1));
    expect(Object.fromEntries(fragment)).toEqual({ invitation: token, email: 'bea+1@example.test' });
    expect(await takeMails({ database, vault })).toEqual([]);
  });

  it('discloses neither recipient nor token', async () => {
    await queue(invitation);
    const text = JSON.stringify(await payloads());
    const sealed = Buffer.from(JSON.parse(text)[0].sealed, 'base64').toString('latin1');
    for (const secret of [token, 'bea@', 'invitation']) {
      expect(text).not.toContain(secret);
      expect(sealed).not.toContain(secret);
    }
  });

  it('rejects recipients that would inject headers', async () => {
    const to = 'bea@example.test\r\nBcc: eve@example.test';
    await expect(queue({ ...invitation, to })).rejects.toThrow('no valid recipient');
    expect(await payloads()).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('a mail is an .eml file named by its time, readable by its owner only', async () => {
    lines.length = 0;
    const folder = join(directory, 'one');
    await queue({ ...invitation, values: { ...invitation.values, organisation: 'Eve\r\nX-Evil: 1' } });
    const [payload] = await payloads();
    await handled(payload, folder);
    const [file = '', ...rest] = await readdir(folder);
    expect(rest).toEqual([]);
    expect(file).toMatch(/^20261121T120000\.500Z-[0-9a-f-]{36}\.eml$/);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);

    const parsed = await PostalMime.parse(await readFile(join(folder, file)));
    expect(parsed.from).toEqual(from);
    expect(parsed.to).toEqual([{ name: '', address: 'bea@example.test' }]);
    expect(parsed.subject).toBe('王伟 邀请您加入 Eve X-Evil: 1');
    expect(parsed.text).toContain(`https://sim.example.test/console/zh-CN/login#invitation=${token}`);
    expect(parsed.html).toContain('<html lang="zh-CN"');
    expect(new Date(parsed.date ?? '').toISOString()).toBe('2026-11-21T12:00:00.000Z');
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'content-language': 'zh-CN',
      'message-id': parsed.messageId,
    });
    expect(headers).not.toHaveProperty('x-evil');
    expect(lines).toEqual([
      JSON.stringify({ template: 'invitation', to: 'b***@example.test', file, text: 'mail sent' }),
    ]);

    // A second attempt writes the same file.
    await handled(payload, folder);
    expect(await readdir(folder)).toEqual([file]);
  });

  it('files sort by queueing time', async () => {
    const folder = join(directory, 'many');
    for (let i = 0; i < 3; i += 1) {
      clock.advance(1000);
      await queue({ ...invitation, to: `n${i}@example.test` });
    }
    for (const payload of (await payloads()).reverse()) await handled(payload, folder);
    const files = (await readdir(folder)).sort();
    const receivers = await Promise.all(
      files.map(
        async (file) => (await PostalMime.parse(await readFile(join(folder, file)))).to?.[0]?.address,
      ),
    );
    expect(receivers).toEqual(['n0@example.test', 'n1@example.test', 'n2@example.test']);
  });

  it('expired mails are dropped', async () => {
    lines.length = 0;
    const folder = join(directory, 'late');
    await queue({ ...invitation, template: 'sign-in-code', values: { code: '123456', minutes: 10 } });
    await queue(invitation);
    const [code, asked] = await payloads();
    clock.advance(11 * 60_000);
    await handled(code, folder);
    await handled(asked, folder);
    expect(await readdir(folder)).toHaveLength(1);
    clock.advance(dayMs);
    await handled(asked, join(directory, 'later'));
    expect(lines.map((line) => JSON.parse(line).text)).toEqual([
      'a mail could not be sent before its deadline and was dropped',
      'mail sent',
      'a mail could not be sent before its deadline and was dropped',
    ]);
    expect(lines.join()).not.toContain('bea@');
  });
});
