import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { readQuota } from '../quota/quota.service.ts';
import { sendToSims } from './send.operation.ts';

const now = new Date('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('messages of an organisation that may no longer send are refused, each with this reason', async () => {
  const { pool } = database;
  const { id: orgId } = await insertTestOrganisation(pool);
  const items: { position: number; ref: number; label: string; input: null }[] = [];
  for (const position of [0, 1]) {
    const { id: ref, iccid: label } = await makeSim(pool, orgId, {});
    await assignMsisdn(pool, ref);
    items.push({ position, ref, label, input: null });
  }
  const order = { id: 1, orgId, userId: '', reference: 'T1', startedAt: now, actor: 'Test', traceId: null };
  const send = () =>
    inTransaction(pool, (tx) =>
      sendToSims(tx, { items, order, now, parameters: { content: 'STATUS' } }, { isScheduled: false }),
    );
  await pool.query('insert into sms_services (org_id, can_send, can_receive) values ($1, false, true)', [
    orgId,
  ]);
  expect([...(await send())]).toEqual([
    [0, 'CB-04-0001'],
    [1, 'CB-04-0001'],
  ]);
  expect((await readQuota(pool, orgId, now)).used).toBe(0);
  await pool.query('update sms_services set can_send = true where org_id = $1', [orgId]);
  expect([...(await send())]).toEqual([]);
  expect((await readQuota(pool, orgId, now)).used).toBe(2);
});
