import { randomBytes } from 'node:crypto';
import { type StatusName, statusCode } from '@simcube/smpp';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { operatorActor } from '../../audit/index.ts';
import { addConnection } from '../connections/connections.service.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { SmsGateway } from './gateway.ts';

const soon = { timeout: 30_000, interval: 20 };
const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const vault = vaultOf(randomBytes(32));

let database: Database;
let listener: Listener;
let gateway: SmsGateway;
let first: Smsc;
let orgId: number;
/** What the first SMSC answers. */
let status: StatusName = 'ESME_ROK';
/** Numbers to which messages were accepted. */
const accepted: string[] = [];

const connect = (name: string, priority: number, { port }: Smsc) => {
  const to = { name, bind: 'transceiver', host: '127.0.0.1', port, tls: false } as const;
  const rest = { sender: '4900', priority, window_size: 10, rate_per_second: null };
  const options = { pool: database.pool, clock, vault, actor: operatorActor() };
  return addConnection(options, { ...to, ...rest, system_id: 'esme', system_type: '' }, 'secret');
};

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(database.pool)).id;
  first = await startSmsc({
    onSubmit: (submit, session, count) => {
      if (status === 'ESME_ROK') accepted.push(String(submit['destination_addr']));
      session.send(submit.response({ command_status: statusCode[status], message_id: `M${count}` }));
    },
  });
  await connect('first', 0, first);
  const metrics = createMetrics();
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics, vault, listener });
  await gateway.start();
});
afterAll(async () => {
  await gateway.stop();
  await listener.close();
  await first.close();
  await database.close();
});

/** Sends a message to each of `count` new SIMs. @returns their numbers */
const send = async (count: number): Promise<string[]> => {
  const to: { simId: number; iccid: string; msisdn: string }[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
    to.push({ simId, iccid, msisdn: await assignMsisdn(database.pool, simId) });
  }
  const outgoing = {
    orgId,
    content: 'STATUS',
    at: clock.now(),
    task: null,
    sentBy: null,
    isScheduled: false,
  };
  await inTransaction(database.pool, (tx) => acceptMessages(tx, outgoing, to));
  return to.map(({ msisdn }) => msisdn);
};
const statuses = async (numbers: readonly string[]) =>
  (
    await database.pool.query(
      'select status, reason, count(*)::int from sms_messages where msisdn = any($1) group by status, reason',
      [numbers],
    )
  ).rows;
const allSent = async (numbers: readonly string[]) => {
  const { length } = numbers;
  await expect.poll(() => statuses(numbers), soon).toEqual([{ status: 1, reason: null, count: length }]);
};

it.each([
  ['ESME_RSYSERR', 3],
  ['ESME_RX_T_APPN', 3],
  ['ESME_RINVBNDSTS', 1],
] as const)(
  'an SMSC that answers %s for a while gets every message once, and none fails',
  async (temporary, answers) => {
    await expect.poll(() => first.binds.length, soon).toBeGreaterThan(0);
    status = temporary;
    accepted.length = 0;
    const before = { submits: first.submits.length, binds: first.binds.length };
    const numbers = await send(6);
    await expect.poll(() => first.submits.length - before.submits, soon).toBeGreaterThanOrEqual(answers);
    expect(await statuses(numbers)).toEqual([{ status: 0, reason: null, count: 6 }]);
    status = 'ESME_ROK';
    await allSent(numbers);
    expect(accepted).toHaveLength(numbers.length);
    expect(new Set(accepted)).toEqual(new Set(numbers));
    expect(first.binds.length > before.binds).toBe(temporary === 'ESME_RINVBNDSTS');
  },
);

it('while an SMSC answers every message with an error of its own, the next priority is used', async () => {
  const second = await startSmsc();
  await connect('second', 5, second);
  await expect.poll(() => second.binds.length, soon).toBe(1);
  status = 'ESME_RSYSERR';
  const before = first.submits.length;
  const refused = await send(3);
  await expect.poll(() => first.submits.length, soon).toBeGreaterThanOrEqual(before + 3);
  await allSent(await send(5));
  expect(second.submits.length).toBeGreaterThan(0);
  status = 'ESME_ROK';
  await allSent(refused);
  await second.close();
});
