import { randomBytes } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '@simcube/contract/time';
import { statusCode } from '@simcube/smpp';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
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
import { readQuota } from '../quota/quota.service.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { SmsGateway } from './gateway.ts';

type Submit = Smsc['submits'][number];
type Session = Smsc['sessions'][number];

const soon = { timeout: 30_000, interval: 20 };
const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const vault = vaultOf(randomBytes(32));

let database: Database;
let listener: Listener;
let smsc: Smsc;
let gateway: SmsGateway | undefined;
/** How the SMSC answers a submit; set by each test. */
let answer: (submit: Submit, session: Session, count: number) => void;

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  smsc = await startSmsc({ onSubmit: (...submit) => answer(...submit) });
  const to = { name: 'test', bind: 'transceiver', host: '127.0.0.1', port: smsc.port, tls: false } as const;
  const rest = { sender: '4900', priority: 0, window_size: 10, rate_per_second: null };
  const options = { pool: database.pool, clock, vault, actor: operatorActor() };
  await addConnection(options, { ...to, ...rest, system_id: 'esme', system_type: '' }, 'secret');
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});
afterAll(async () => {
  await smsc.close();
  await listener.close();
  await database.close();
});

/** Without checks for timeouts. */
const begin = async () => {
  const { pool } = database;
  const sweepMs = hourMs;
  gateway = new SmsGateway({ pool, clock, log, metrics: createMetrics(), vault, listener, sweepMs });
  await gateway.start();
};

/** Accepts a message to a new SIM of the organisation. @returns the SIM */
const send = async (orgId: number): Promise<number> => {
  const { pool } = database;
  const { id: simId, iccid } = await makeSim(pool, orgId, {});
  const recipient = { simId, iccid, msisdn: await assignMsisdn(pool, simId) };
  const outgoing = {
    orgId,
    content: 'STATUS',
    at: clock.now(),
    task: null,
    sentBy: null,
    isScheduled: false,
  };
  await inTransaction(pool, (tx) => acceptMessages(tx, outgoing, [recipient]));
  return simId;
};
const statesOf = async (simId: number) =>
  (await database.pool.query('select status, reason from sms_messages where sim_id = $1', [simId])).rows;

it('a message of a deleted organisation fails, and those of others are still sent', async () => {
  const { pool } = database;
  answer = (submit, session, count) => session.send(submit.response({ message_id: `A${count}` }));
  const [org, deleted] = [await insertTestOrganisation(pool), await insertTestOrganisation(pool)];
  const moved = await send(deleted.id);
  await pool.query('update sims set org_id = $2 where id = $1', [moved, org.id]);
  await pool.query('delete from organisations where id = $1', [deleted.id]);
  const other = await send(org.id);
  await begin();
  await expect.poll(() => statesOf(moved), soon).toEqual([{ status: 3, reason: 'sim-moved' }]);
  await expect.poll(() => statesOf(other), soon).toEqual([{ status: 1, reason: null }]);
  const later = await send(org.id);
  await expect.poll(() => statesOf(later), soon).toEqual([{ status: 1, reason: null }]);
});

it('a message that always gets a temporary error fails after a day, and is refunded', async () => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  let submits = 0;
  answer = (submit, session) => {
    submits += 1;
    if (submits === 2) clock.set(new Date(clock.now().getTime() + dayMs + minuteMs));
    session.send(submit.response({ command_status: statusCode.ESME_RINVBNDSTS }));
  };
  const simId = await send(orgId);
  await begin();
  await expect.poll(() => statesOf(simId), soon).toEqual([{ status: 3, reason: 'not-sent-in-time' }]);
  expect(submits).toBe(2);
  expect((await readQuota(pool, orgId, new Date('2026-11-21T12:00:00Z'))).used).toBe(0);
});
