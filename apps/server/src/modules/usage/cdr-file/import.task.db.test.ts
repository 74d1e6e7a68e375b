import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { addToPools } from '../../pool/index.ts';
import { taskModule } from '../../task/index.ts';
import { importCdrsAsTask } from './import.task.ts';

const email = 'ana@acme.example';
const at = new Date('2026-11-21T12:00:00Z');
const clock = new FixedClock(at);
let database: Database;
let iccid: string;

beforeAll(async () => {
  database = await testDatabase();
  const made = await database.pool.query(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id),
     person as (insert into users (email, first_name, last_name, password_hash) values ($1, 'Ana', 'M', '-') returning id),
     member as (insert into memberships (user_id, org_id, role, is_default)
       select person.id, org.id, 'admin', true from person, org)
     select org.id as org, person.id as person from org, person`,
    [email],
  );
  ({ iccid } = await makeSim(database.pool, made.rows[0].org, {}));
});
afterAll(() => database.close());

it('an import of usage records for a person counts its lines', async () => {
  const text = `iccid,started_at,ended_at,up_bytes,down_bytes\n${iccid},2026-11-20T10:00:00Z,2026-11-20T10:05:00Z,10,20\nunknown,2026-11-20T10:00:00Z,2026-11-20T10:05:00Z,1,2\n`;
  await importCdrsAsTask(taskModule({ pool: database.pool, clock, operations: [], fileWorks: [] }), {
    pool: database.pool,
    clock,
    countForPools: addToPools,
    email,
    source: {
      name: 'cdrs.csv',
      size: text.length,
      hash: Buffer.alloc(32, 1),
      open: async function* (from) {
        yield Buffer.from(text).subarray(from);
      },
    },
  });
  const { rows } = await database.pool.query('select * from tasks');
  expect(rows).toMatchObject([
    {
      type: 'cdr-import',
      remark: 'cdrs.csv',
      status: 'issues',
      quantity: 2,
      done: 2,
      result: { accepted: 1, duplicate: 0, refused: 1 },
    },
  ]);
});
