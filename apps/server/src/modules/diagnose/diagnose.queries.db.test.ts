import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeSim } from '../../testing/inventory.ts';
import { insertTestOrganisation } from '../../testing/organisations.ts';
import { insertLink, lockLink } from './diagnose.queries.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('a link names the device as long as the SIM belongs to the organisation that created it', async () => {
  const { pool } = database;
  const [own, other] = [await insertTestOrganisation(pool), await insertTestOrganisation(pool)];
  const sim = await makeSim(pool, own.id, { deviceName: 'Own lorry' });
  const [madeAt, expiresAt] = [new Date('2026-11-21T12:00:00Z'), new Date('2026-11-24T12:00:00Z')];
  const link = { idHash: Buffer.alloc(32, 1), orgId: own.id, simId: sim.id, report: {} };
  await insertLink(pool, { ...link, madeAt, expiresAt });
  const { rows } = await pool.query<{ id: string }>('select id::text as id from diagnose_links');
  const key = { id: rows[0]?.id ?? '', orgId: own.id, now: madeAt };
  const readDeviceName = async () => (await inTransaction(pool, (tx) => lockLink(tx, key)))?.deviceName;
  expect(await readDeviceName()).toBe('Own lorry');
  await pool.query(`update sims set org_id = $1, device_name = 'Their lorry'`, [other.id]);
  expect(await readDeviceName()).toBeNull();
});
