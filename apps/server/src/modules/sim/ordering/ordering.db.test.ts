import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { systemClock } from '../../../platform/clock/index.ts';
import type { Database, Sql } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { createOrdering, type SimOrder } from './ordering.service.ts';
import { listByIccids } from './selection.views.ts';
import { resetRule, suspendRule } from './sim-operation.rules.ts';

let database: Database;
let org: { id: number };
let person: string;

beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ org: number; person: string }>(
    `with org as (insert into organisations (code, name, country) values ('acme', 'Acme', 'DE') returning id),
     person as (
       insert into users (email, first_name, last_name, password_hash) values ('ana@acme.example', 'Ana', 'M', '-')
       returning id),
     member as (insert into memberships (org_id, user_id, role) select org.id, person.id, 'admin' from org, person)
     select org.id as org, person.id as person from org, person`,
  );
  org = { id: rows[0]?.org ?? 0 };
  person = rows[0]?.person ?? '';
});
afterAll(() => database.close());

/** The person's orders; each is committed once `afterAccept` has ended. */
const ordererOf = (afterAccept: (tx: Sql) => Promise<void>) => {
  const { accept } = createOrdering({ pool: database.pool, clock: systemClock });
  const actor: Actor = {
    kind: 'person',
    id: person,
    name: 'Ana',
    address: null,
    traceId: null,
    action: 'sims.suspension-ordered',
  };
  return <P>(order: SimOrder<P>) =>
    accept({ org, userId: person, actor, language: 'en-US' }, { ...order, afterAccept });
};

/** Orders that are checked and written, but committed only when released. */
const heldOrders = () => {
  let letGo = (): void => undefined;
  let held = 0;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const order = ordererOf(async () => {
    held += 1;
    await free;
  });
  return { order, letGo: () => letGo(), held: () => held };
};

const suspension = (...iccids: string[]): SimOrder<object> => ({
  rule: suspendRule,
  parameters: {},
  remark: null,
  selected: { iccids },
});
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

const hasId = async (tx: Sql): Promise<boolean> =>
  (await tx.query<{ id: string | null }>('select pg_current_xact_id_if_assigned()::text as id')).rows[0]
    ?.id !== null;

// The outbox's readers wait for every transaction that has an id.
it('an order reads its SIMs before its transaction gets an id', async () => {
  const { iccid } = await makeSim(database.pool, org.id);
  const seen: Record<string, boolean> = {};
  const order = ordererOf(async (tx) => {
    seen.written = await hasId(tx);
  });
  const task = await order({
    ...suspension(),
    selected: {
      file: 'sims.csv',
      read: async (tx) => {
        const found = await listByIccids(tx, { scope: scopedTo(org), iccids: [iccid] });
        seen.selected = await hasId(tx);
        return found;
      },
    },
    extraFacts: async (tx) => {
      seen.judged = await hasId(tx);
      return new Map<number, never>();
    },
  });
  expect(task.quantity).toBe(1);
  expect(seen).toEqual({ selected: false, judged: false, written: true });
});

it('the same order twice at the same time is refused; any other of the person is accepted', async () => {
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => makeSim(database.pool, org.id)));
  const iccids = [one, two, three].map((sim) => sim?.iccid ?? '');
  const [first = '', second = '', third = ''] = iccids;
  const { order, letGo, held } = heldOrders();
  const running = [order(suspension(first))];
  await vi.waitFor(() => expect(held()).toBe(1));
  expect(await order(suspension(first)).catch(codeOf)).toBe('CB-01-0005');
  // The same operation on other SIMs, and another operation: neither is the same request.
  running.push(order(suspension(second)), order({ ...suspension(third), rule: resetRule }));
  await vi.waitFor(() => expect(held()).toBe(3));
  letGo();
  expect((await Promise.all(running)).map(({ quantity }) => quantity)).toEqual([1, 1, 1]);
  // The order is no longer in progress, but the SIM is busy.
  expect(await order(suspension(first)).catch(codeOf)).toBe('CB-01-0011');
});

it('of concurrent orders with overlapping selections, one gets the SIM and it is busy for the others', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => makeSim(database.pool, org.id)));
  const [shared = '', ...others] = made.map(({ iccid }) => iccid);
  const order = ordererOf(async () => undefined);
  const tasks = await Promise.all(others.map((other) => order(suspension(shared, other))));
  const { rows } = await database.pool.query(
    `select i.label as iccid, count(*) filter (where i.state = 0)::int as waiting, count(*) filter (where i.code = 'CB-01-0011')::int as busy
     from task_items i where i.label = any($1) group by i.label order by busy desc`,
    [[shared, ...others]],
  );
  expect(tasks.map(({ quantity }) => quantity)).toEqual(others.map(() => 2));
  expect(rows[0]).toEqual({ iccid: shared, waiting: 1, busy: others.length - 1 });
  expect(rows.slice(1).map(({ waiting, busy }) => [waiting, busy])).toEqual(others.map(() => [1, 0]));
});
