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
import type { ConnectionSettings } from '../connections/connections.queries.ts';
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

const change = (settings: Partial<ConnectionSettings>) =>
  addConnection(
    { pool: database.pool, clock, vault, actor: operatorActor() },
    { name: 'strict', host: '127.0.0.1', port: smsc.port, system_id: 'esme', sender: '4900', ...settings },
    'secret',
  );

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(database.pool)).id;
  smsc = await startSmsc();
  await change({});
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics: createMetrics(), vault, listener });
  await gateway.start();
});
afterAll(async () => {
  await gateway.stop();
  await listener.close();
  await smsc.close();
  await database.close();
});

/** The submit that the SMSC receives for a new message. */
const submitted = async () => {
  const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
  const msisdn = await assignMsisdn(database.pool, simId);
  const outgoing = {
    orgId,
    content: 'STATUS',
    at: clock.now(),
    task: null,
    sentBy: null,
    isScheduled: false,
  };
  const before = smsc.submits.length;
  await inTransaction(database.pool, (tx) => acceptMessages(tx, outgoing, [{ simId, iccid, msisdn }]));
  await expect.poll(() => smsc.submits.length, soon).toBe(before + 1);
  return smsc.submits.at(-1);
};
const changed = async (settings: Partial<ConnectionSettings>) => {
  const before = smsc.binds.length;
  await change(settings);
  await expect.poll(() => smsc.binds.length, soon).toBe(before + 1);
};

it('binds and submits have the settings that an SMSC requires; a change applies immediately', async () => {
  await expect.poll(() => smsc.binds.length, soon).toBe(1);
  expect(smsc.binds.at(-1)).toMatchObject({ system_type: '', addr_ton: 0, addr_npi: 0, address_range: '' });
  expect(await submitted()).toMatchObject({
    service_type: '',
    source_addr: '4900',
    source_addr_ton: 3,
    source_addr_npi: 1,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
  });

  await changed({
    system_type: 'M2M',
    address_range: '^49',
    address_range_ton: 1,
    address_range_npi: 1,
    service_type: 'CMT',
    source_ton: 0,
    source_npi: 0,
    alphanumeric_ton: 5,
    alphanumeric_npi: 9,
    destination_ton: 2,
    destination_npi: 8,
  });
  expect(smsc.binds.at(-1)).toMatchObject({
    system_type: 'M2M',
    addr_ton: 1,
    addr_npi: 1,
    address_range: '^49',
  });
  expect(await submitted()).toMatchObject({
    service_type: 'CMT',
    source_addr: '4900',
    source_addr_ton: 0,
    source_addr_npi: 0,
    dest_addr_ton: 2,
    dest_addr_npi: 8,
  });

  await changed({ sender: 'SimCube' });
  expect(await submitted()).toMatchObject({
    service_type: 'CMT',
    source_addr: 'SimCube',
    source_addr_ton: 5,
    source_addr_npi: 9,
    dest_addr_ton: 2,
    dest_addr_npi: 8,
  });
});
