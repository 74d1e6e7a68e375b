import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@simcube/contract/time';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock/index.ts';
import { type Database, ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { freeTcpPort } from '../../testing/free-ports.ts';
import { radiusInventory, radiusKey } from '../../testing/radius.ts';
import { killServer, startServerProcess } from '../../testing/server-process.ts';
import { operatorActor } from '../audit/index.ts';
import { addConnection } from './connections/connections.service.ts';
import { acceptMessages } from './sending/send.service.ts';

type Session = Smsc['sessions'][number];

const messages = 3000;
const [window, windowsClaimed] = [50, 4];
const soon = { timeout: 60_000, interval: 20 };

let database: Database;
let directory: string;
let server: ChildProcess | undefined;
let smsc: Smsc;
/** Ids under which the SMSC accepted messages, by number. */
const taken = new Map<string, string[]>();
/** Receipts without acknowledgement, by id, which the SMSC repeats. */
const owed = new Map<string, string>();
/** Numbers with submits that were not answered. */
const unanswered = new Set<string>();
let isDying = false;

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'simcube-sms-'));
  const now = Date.now();
  await ensurePartitions(database.pool, new Date(now - dayMs), new Date(now + 2 * dayMs));
});
beforeEach(() => {
  isDying = false;
  for (const known of [taken, owed, unanswered]) known.clear();
});
afterEach(async () => {
  if (server) await killServer(server);
  await smsc.close();
  await database.pool.query('delete from smsc_connections');
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await database.close();
});

/** An SMSC that accepts all submits, whether or not it answers them, and reports answered ones as delivered. */
const openSmsc = async (port = 0): Promise<Smsc> =>
  startSmsc({
    port,
    onSubmit: (submit, session) => {
      const to = String(submit['destination_addr']);
      const ids = taken.get(to) ?? [];
      const id = `K${to}-${ids.length}`;
      taken.set(to, [...ids, id]);
      if (isDying) {
        unanswered.add(to);
        return;
      }
      session.send(submit.response({ message_id: id }));
      owed.set(id, to);
      report(session, id, to);
    },
  });

const report = (session: Session, id: string, to: string): void =>
  void session.deliver_sm(
    {
      source_addr: to,
      destination_addr: '4900',
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2611231200 done date:2611231200 stat:DELIVRD err:000 text:`,
    },
    (response) => {
      if (response.command_status === 0) owed.delete(id);
    },
  );

/** @returns the organisation, whose messages wait for a server */
const accepted = async (): Promise<number> => {
  const { orgId, iccid } = await radiusInventory(database, messages);
  const { pool } = database;
  const { rows } = await pool.query<{ id: number; iccid: string; msisdn: string }>(
    'select id, iccid, msisdn from sims where org_id = $1 and iccid >= $2 order by id',
    [orgId, iccid(0)],
  );
  const recipients = rows.map(({ id, ...sim }) => ({ simId: id, ...sim }));
  const at = systemClock.now();
  const outgoing = { orgId, content: 'STATUS', at, task: null, sentBy: null, isScheduled: false };
  await inTransaction(pool, (tx) => acceptMessages(tx, outgoing, recipients));
  const to = { host: '127.0.0.1', port: smsc.port, tls: false, bind: 'transceiver' } as const;
  const rest = { sender: '4900', priority: 0, window_size: window, rate_per_second: null };
  const bindAs = { name: 'drill', system_id: 'esme', system_type: '' };
  const options = { pool, clock: systemClock, vault: vaultOf(radiusKey), actor: operatorActor() };
  await addConnection(options, { ...to, ...rest, ...bindAs }, 'secret');
  return orgId;
};

const startWorker = (): ChildProcess =>
  startServerProcess({ databaseUrl: database.url, directory, secretKey: radiusKey, roles: 'worker' });

const submittedTo = (count: number) => expect.poll(() => taken.size, soon).toBeGreaterThanOrEqual(count);

/** Waits until nothing is waiting or claimed, and everything that the SMSC answered is reported, partly twice. */
const settled = async (orgId: number): Promise<void> => {
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query<{ left: number }>(
        `select count(*)::int + (select count(*)::int from sms_claims) as left from sms_parts p
         where state = 0 and sim_id in (select id from sims where org_id = $1)`,
        [orgId],
      );
      return rows[0]?.left;
    }, soon)
    .toBe(0);
  const session = smsc.sessions.at(-1);
  if (!session) throw new Error('Nobody is connected');
  for (const [id, to] of owed) report(session, id, to);
  await expect.poll(() => owed.size, soon).toBe(0);
};

const numbersIn = async (orgId: number, status: number): Promise<string[]> => {
  const { rows } = await database.pool.query<{ msisdn: string }>(
    'select msisdn from sms_messages where org_id = $1 and status = $2 order by msisdn',
    [orgId, status],
  );
  return rows.map(({ msisdn }) => msisdn);
};

/** Each message was submitted once, is delivered or unknown, and is charged once. */
const expectExact = async (orgId: number): Promise<{ unknown: string[] }> => {
  const [delivered, unknown] = [await numbersIn(orgId, 2), await numbersIn(orgId, 4)];
  expect([...taken.values()].filter((ids) => ids.length > 1)).toEqual([]);
  expect(delivered.length + unknown.length).toBe(messages);
  expect(new Set(delivered)).toEqual(new Set([...taken.keys()].filter((to) => !unanswered.has(to))));
  const { rows } = await database.pool.query('select parts from sms_quota_spent where org_id = $1', [orgId]);
  expect(rows).toEqual([{ parts: messages }]);
  return { unknown };
};

it('a server that crashes during thousands of messages leaves at most four windows unknown, and loses or duplicates none', async () => {
  smsc = await openSmsc();
  const orgId = await accepted();
  server = startWorker();
  await submittedTo(messages / 3);
  await killServer(server);
  expect(taken.size).toBeLessThan(messages);
  server = startWorker();
  await settled(orgId);
  const { unknown } = await expectExact(orgId);
  expect(unknown.length).toBeLessThanOrEqual(windowsClaimed * window);
});

it('an SMSC that stops during thousands of messages leaves only unanswered ones unknown, and none is lost or duplicated', async () => {
  const port = await freeTcpPort();
  smsc = await openSmsc(port);
  const orgId = await accepted();
  server = startWorker();
  await submittedTo(messages / 3);
  isDying = true;
  await expect.poll(() => unanswered.size, soon).toBe(window);
  smsc.drop();
  await smsc.close();
  isDying = false;
  smsc = await openSmsc(port);
  await settled(orgId);
  const { unknown } = await expectExact(orgId);
  expect(new Set(unknown)).toEqual(unanswered);
});
