import { dayMs } from '@simcube/contract/time';
import { radiusCode } from '@simcube/radius';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { attributesOf, radiusInventory, sendAccounting, testRadius } from '../../../testing/radius.ts';
import { addUnknownSims, listUnknownSims, trimUnknownSims } from './unknown-sims.queries.ts';
import { startUnknownSimRecorder } from './unknown-sims.ts';

const start = new Date('2026-11-21T12:00:00Z');
const laterTime = new Date('2026-11-21T12:01:00Z');

let clock: FixedClock;
let database: Database;

beforeEach(async () => {
  clock = new FixedClock(start);
  database = await testDatabase({ max: 12 });
});
afterEach(() => database.close());

const row = {
  identity: 'imsi:901009999999999',
  gateway: 'test gateway',
  reason: 'access: unknown-sim',
  packets: 2,
  firstAt: start,
  lastAt: start,
};

it('requests and records that belong to no SIM are shown by identity, gateway and reason, not stored singly', async () => {
  const sims = await radiusInventory(database, 1);
  await database.pool.query('update sims set lifecycle = 30 where id = $1', [sims.ids[0]]);
  const server = await testRadius(database, clock);
  const request = async (port: 'auth' | 'acct', values: Parameters<typeof attributesOf>[0]) => {
    const code = port === 'auth' ? radiusCode.accessRequest : radiusCode.accountingRequest;
    expect((await server[port].send({ code, attributes: attributesOf(values) })).ok).toBe(true);
  };
  const nobody = { nasIdentifier: 'pgw-1' };
  const record = { ...nobody, acctStatusType: 3, acctSessionId: 'one' };
  await request('auth', { imsi: '901009999999999' });
  await request('auth', nobody);
  await request('auth', { imsi: sims.imsi(0) });
  await request('acct', record);
  clock.set(laterTime);
  for (const session of ['two', 'three'])
    await sendAccounting(server.acct, 'interim', { imsi: '901009999999999', session, at: start, up: 5 });
  await request('acct', { ...record, userName: '4915199999999', acctSessionId: 'four' });
  await server.stop();

  expect(await listUnknownSims(database.pool)).toEqual([
    {
      ...row,
      identity: 'any:4915199999999',
      reason: 'accounting: unknown-sim',
      packets: 1,
      ...at(laterTime),
    },
    { ...row, reason: 'accounting: unknown-sim', ...at(laterTime) },
    { ...row, identity: '', reason: 'access: identity-missing', packets: 1 },
    { ...row, identity: '', reason: 'accounting: identity-missing', packets: 1 },
    { ...row, packets: 1 },
  ]);
  const { rows } = await database.pool.query('select sim_id, reason from radius_rejects');
  expect(rows).toEqual([{ sim_id: sims.ids[0], reason: 'paused' }]);
});

const at = (time: Date) => ({ firstAt: time, lastAt: time });

describe('the record of unknown SIMs', () => {
  it('is summed over processes', async () => {
    await addUnknownSims(database.pool, [row]);
    await addUnknownSims(database.pool, [{ ...row, packets: 3, ...at(laterTime) }]);
    expect(await listUnknownSims(database.pool)).toEqual([{ ...row, packets: 5, lastAt: laterTime }]);
  });

  it('is limited to those heard last, for any number of identities', async () => {
    const log = createLog({ level: 'silent', format: 'json' });
    const recorder = startUnknownSimRecorder({ pool: database.pool, clock, log });
    for (let n = 0; n < 1_500; n += 1)
      recorder.add({ identity: `imsi:${n}`, gateway: 'test gateway', reason: 'access: unknown-sim' });
    await recorder.stop();
    const latest = { ...row, ...at(laterTime) };
    await addUnknownSims(database.pool, [latest]);
    const rows = await listUnknownSims(database.pool);
    expect(rows).toHaveLength(1_000);
    expect(rows[0]).toEqual(latest);
    expect((await database.pool.query('select from radius_unknown_sims')).rowCount).toBe(1_000);
  });

  it('is deleted 30 days after the last packet', async () => {
    await addUnknownSims(database.pool, [row, { ...row, identity: 'any:12345', ...at(laterTime) }]);
    await trimUnknownSims(database.pool, new Date(laterTime.getTime() + 30 * dayMs));
    expect((await listUnknownSims(database.pool)).map(({ identity }) => identity)).toEqual(['any:12345']);
  });
});
