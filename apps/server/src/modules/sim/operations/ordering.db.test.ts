import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import { type Database, type Sql, typed } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { createOrdering } from './ordering.service.ts';
import { listNamed } from './selection.views.ts';
import { suspendRule } from './sim-operation.rules.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const hasId = async (tx: Sql): Promise<boolean> =>
  (await tx.query<{ id: string | null }>('select pg_current_xact_id_if_assigned()::text as id')).rows[0]
    ?.id !== null;

// The readers of the outbox wait for every transaction that has an id.
it('an order reads what it is about before its transaction gets an id', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ org: number; person: string }>(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme', 'DE') returning id),
     person as (
       insert into users (email, first_name, last_name, password_hash) values ('ana@acme.example', 'Ana', 'M', '-')
       returning id),
     member as (insert into memberships (org_id, user_id, role) select org.id, person.id, 'admin' from org, person)
     select org.id as org, person.id as person from org, person`,
  );
  const { org = 0, person = '' } = rows[0] ?? {};
  const { iccid } = await makeSim(pool, org);
  const seen: Record<string, boolean> = {};
  const ordering = createOrdering({
    pool,
    db: typed(pool),
    clock: systemClock,
    audit: async (tx) => {
      seen.written = await hasId(tx);
    },
  });
  const actor: Actor = {
    kind: 'person',
    id: person,
    name: 'Ana',
    address: null,
    traceId: null,
    action: undefined,
  };
  const task = await ordering.accept(
    { org: { id: org }, userId: person, actor, language: 'en-US' },
    {
      rule: suspendRule,
      parameters: {},
      remark: null,
      selected: async (tx) => {
        const found = await listNamed(tx, { scope: scopedTo({ id: org }), iccids: [iccid] });
        seen.selected = await hasId(tx);
        return found;
      },
      more: async (tx) => {
        seen.judged = await hasId(tx);
        return new Map<number, never>();
      },
    },
  );
  expect(task.quantity).toBe(1);
  expect(seen).toEqual({ selected: false, judged: false, written: true });
});
