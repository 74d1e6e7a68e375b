import { randomBytes } from 'node:crypto';
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
let smsc: Smsc;
let orgId: number;

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(database.pool)).id;
  smsc = await startSmsc();
  await addConnection(
    { pool: database.pool, clock, vault, actor: operatorActor() },
    {
      name: 'latin',
      bind: 'transceiver',
      host: '127.0.0.1',
      port: smsc.port,
      system_id: 'esme',
      sender: '4900',
      default_alphabet: 'latin1',
    },
    'secret',
  );
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics: createMetrics(), vault, listener });
  await gateway.start();
});
afterAll(async () => {
  await gateway.stop();
  await listener.close();
  await smsc.close();
  await database.close();
});

it('messages use the default alphabet of the SMSC in both directions', async () => {
  await expect.poll(() => smsc.binds.length, soon).toBe(1);
  const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
  const msisdn = await assignMsisdn(database.pool, simId);
  const outgoing = {
    orgId,
    content: 'a@b_c $5',
    at: clock.now(),
    task: null,
    sentBy: null,
    isScheduled: false,
  };
  await inTransaction(database.pool, (tx) => acceptMessages(tx, outgoing, [{ simId, iccid, msisdn }]));
  await expect.poll(() => smsc.submits.length, soon).toBe(1);
  // The peer reads data_coding 0 as GSM 7-bit, in which the octets of @, _ and $ in Latin-1 are these characters.
  expect(smsc.submits).toMatchObject([{ data_coding: 0, short_message: { message: 'a¡b§c ¤5' } }]);
  await new Promise<void>((acknowledged) => {
    const short_message = Buffer.from('Niño @ 5 $_[à]', 'latin1');
    const numbers = { source_addr: msisdn, destination_addr: '4900', data_coding: 0 };
    smsc.sessions.at(-1)?.deliver_sm({ ...numbers, short_message }, () => acknowledged());
  });
  const received = 'select content from sms_messages where sim_id = $1 and mobile_originated';
  expect((await database.pool.query(received, [simId])).rows).toEqual([{ content: 'Niño @ 5 $_[à]' }]);
});
