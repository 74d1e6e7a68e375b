import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { sumOfMtParts } from '../messages/counted.views.ts';
import { readQuota } from '../quota/quota.service.ts';
import { readUsage } from '../quota/quota.views.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { statusNumber } from '../sms.rules.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { deleteSeenReceipts, listSeenReceipts, storeSeenReceipts } from './receipts.queries.ts';
import { applyReceipts } from './receipts.service.ts';

const at = new Date('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('the rest of a message is neither sent nor charged once a receipt has failed it', async () => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const { id: simId, iccid } = await makeSim(pool, orgId, {});
  const msisdn = await assignMsisdn(pool, simId);
  const message = { orgId, content: 'ż'.repeat(140), at, task: null, sentBy: null, isScheduled: false };
  await inTransaction(pool, (tx) => acceptMessages(tx, message, [{ simId, iccid, msisdn }]));
  const waiting = 'select id from sms_parts where sim_id = $1 order by id';
  const [first] = (await pool.query<{ id: number }>(waiting, [simId])).rows;
  const sent = { id: first?.id ?? 0, destination: msisdn, outcome: 'sent', messageId: 'R1' } as const;
  await inTransaction(pool, (tx) => applyOutcomes(tx, [sent], at));
  const failure = { reason: 'undeliverable', networkCode: '027' } as const;
  const receipt = { ids: ['R1'], keys: ['r1'], address: msisdn, sender: '4900', ...failure };
  await inTransaction(pool, (tx) => applyReceipts(tx, [receipt], at));
  expect((await pool.query(waiting, [simId])).rows).toEqual([]);
  const { rows } = await pool.query(
    `select status, reason, network_code, ${sumOfMtParts}::int as charged from sms_messages where sim_id = $1
     group by status, reason, network_code`,
    [simId],
  );
  const { reason, networkCode: network_code } = failure;
  expect(rows).toEqual([{ status: statusNumber('failed'), reason, network_code, charged: 1 }]);
  expect((await readQuota(pool, orgId, at)).used).toBe(1);
  expect(await readUsage(pool, orgId, at)).toMatchObject({ mt: 1, mt_parts: 1 });
});

it('receipts of an SMSC that gives all parts one id are matched by number, however many parts there are', async () => {
  const numberOf = (part: number) => String(4_915_000_000_000 + part);
  await database.pool.query(
    `insert into sms_parts (sim_id, message_at, message_id, part, state, destination, smsc_id, smsc_key, submitted_at)
     select n, $1, n, 1, 2, (4915000000000 + n)::text, 'SAME', 'same', $1 from generate_series(1, 25000) n`,
    [at],
  );
  await database.pool.query('analyze sms_parts');
  const receipts = Array.from({ length: 1000 }, (_, index) => ({
    ids: ['SAME'],
    keys: ['same', `other-${index}`],
    address: numberOf(24_001 + index),
    sender: '4900',
    reason: null,
    networkCode: null,
  }));
  await inTransaction(database.pool, (tx) => applyReceipts(tx, receipts, at));
  const { rows } = await database.pool.query(
    `select (select count(*) from sms_parts) as parts, (select max(destination) from sms_parts) as last,
       (select count(*) from sms_early_receipts) as waiting`,
  );
  expect(rows).toEqual([{ parts: 24_000, last: numberOf(24_000), waiting: 0 }]);
});

it('receipts are remembered for a while, and of many the latest', async () => {
  const { pool } = database;
  const minute = (count: number) => new Date(at.getTime() + count * 60_000);
  for (const [index, names] of [['a'], ['b', 'c'], ['d', 'e'], ['f']].entries())
    await storeSeenReceipts(pool, names, minute(index));
  await deleteSeenReceipts(pool, { before: minute(1), limit: 10 });
  expect(await listSeenReceipts(pool)).toEqual(['b', 'c', 'd', 'e', 'f']);
  await deleteSeenReceipts(pool, { before: minute(1), limit: 3 });
  expect(await listSeenReceipts(pool)).toEqual(['d', 'e', 'f']);
});
