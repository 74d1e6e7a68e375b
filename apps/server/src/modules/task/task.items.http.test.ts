import { type Action, endpoints, headers, type Language } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../platform/access/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { runJobs } from '../../testing/jobs.ts';
import { operatorActor } from '../audit/index.ts';
import { type ItemKind, labelColumn, type NewItem, taskModule } from './index.ts';
import { defineFileWork, defineOperation } from './task.operation.ts';
import { startFileWork, startWork } from './work/work.service.ts';

/** A kind of items that no module has, with its own table, texts, columns and owners, none of which `task` knows. */

const inputSchema = z.object({ litres: z.number() });

const meters: ItemKind = {
  name: 'meter',
  busy: 'CB-00-0423',
  columns: [
    labelColumn('task.fields.reference'),
    { heading: 'task.fields.quantity', value: ({ input }) => inputSchema.parse(input).litres },
  ],
  findOwn: async (sql, { orgId, refs }) => {
    const { rows } = await sql.query<{ id: number }>(
      'select id::int as id from meters where id = any($1::bigint[]) and org_id = $2',
      [refs, orgId],
    );
    return new Set(rows.map(({ id }) => id));
  },
};

/** Makes the operation fail, as a test requires. */
let breaking: (label: string) => boolean;
/** Labels of the items of each completed chunk. */
let chunks: string[][];

const readMeters = defineOperation({
  // A type that no operation has.
  type: 'cdr-import',
  items: meters,
  parameters: z.object({ most: z.int() }),
  chunk: 2,
  async apply(tx, { items, parameters: { most }, order }) {
    const broken = items.find(({ label }) => breaking(label));
    if (broken) throw new Error(`${broken.label} cannot be read`);
    const tooMuch = items.filter(({ input }) => inputSchema.parse(input).litres > most);
    for (const { ref, input } of items.filter((item) => !tooMuch.includes(item))) {
      await tx.query('update meters set litres = litres + $2, read_by = $3 where id = $1', [
        ref,
        inputSchema.parse(input).litres,
        order.reference,
      ]);
    }
    chunks.push(items.map(({ label }) => label));
    return new Map(tooMuch.map(({ position }) => [position, 'CB-01-0017'] as const));
  },
});

/** Called while the file is being made, after its first part. */
let whileMaking: () => Promise<void>;
let partsMade: number;

const statement = defineFileWork({
  type: 'service-export',
  access: { key: 'sim', action: 'read' },
  parameters: z.object({ parts: z.int() }),
  fileName: () => 'statement.csv',
  async *produce({ parameters: { parts }, reportRows: rows }) {
    for (let part = 1; part <= parts; part += 1) {
      rows(part);
      partsMade = part;
      yield Buffer.alloc(300_000, 'm');
      if (part === 1) await whileMaking();
    }
  },
});

let test: TestApp;
let person: TestClient;
let colleague: TestClient;
let task: ReturnType<typeof taskModule>;

beforeAll(async () => {
  test = await testApp({
    routesOf: ({ wiring, database: { pool }, clock }) => {
      task = taskModule({ pool, clock, operations: [readMeters], fileWorks: [statement] });
      return [...wiring.routes.filter(({ endpoint }) => !endpoint.id.startsWith('task.')), ...task.routes];
    },
  });
  const own = await makeOrganisation(test, { code: 'own' });
  person = await signedInAs(test, 'operator', own);
  colleague = await signedInAs(test, 'admin', own);
  await test.database.pool.query(
    'create table meters (id bigint primary key, org_id bigint, litres integer not null default 0, read_by text)',
  );
});
afterAll(() => test.close());

beforeEach(async () => {
  breaking = () => false;
  chunks = [];
  whileMaking = async () => undefined;
  await test.database.pool.query('truncate meters; truncate tasks cascade');
  await test.database.pool.query('insert into meters select n, $1 from generate_series(1, 20) as n', [
    person.orgId,
  ]);
});

const meter = (ref: number, litres = 1): NewItem => ({ ref, label: `M-${ref}`, input: { litres } });
const nobodys: NewItem = { ref: null, label: 'M-?', input: { litres: 0 }, refused: 'CB-00-0404' };

const ordered = () => ({
  orgId: person.orgId,
  userId: person.userId,
  actor: { kind: 'person', id: null, name: 'A', address: null, traceId: null, action: undefined } as const,
  remark: 'May',
  at: test.clock.now(),
});

const order = async (items: readonly NewItem[], actor: Actor = ordered().actor): Promise<string> => {
  const made = await inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      ...ordered(),
      actor,
      type: readMeters.type,
      parameters: { most: 40 },
      kind: meters,
      items,
      access: { key: 'sim', action: 'read' },
    }),
  );
  return made.reference_id;
};

const orderFile = async (parts: number): Promise<string> => {
  const made = await inTransaction(test.database.pool, (tx) =>
    startFileWork(tx, { ...ordered(), type: statement.type, parameters: { parts }, quantity: parts }),
  );
  return made.reference_id;
};

const work = () => runJobs(test.database, task.jobs);
const cancel = (reference: string) => task.cancel(Number(reference.slice(1)));

/** As the console's drawer requests it. */
const drawer = async (taskReference: string) => {
  const one = await person.call(endpoints.task.getMine, { params: { taskReference } });
  const items = await person.call(endpoints.task.listItems, { params: { taskReference } });
  return {
    task: one.body.data,
    items: items.body.data.map(({ label, own, state, code }) => [label, own, state, code]),
    messages: items.body.data.map(({ message }) => message),
  };
};

const download = async (taskReference: string, language: Language = 'en-US') => {
  const query = { taskReference, format: 'csv' } as const;
  const { body } = await person.call(endpoints.task.makeDownloadToken, { query });
  if (!body.data) return body.status.code;
  const answer = await test.app.inject({
    url: `/public-sphere/rest/job/${taskReference}/download`,
    headers: { [headers.oneTimeToken]: body.data.token, 'accept-language': language },
  });
  return answer.body;
};

const litres = async (): Promise<Record<string, number>> => {
  const { rows } = await test.database.pool.query(
    'select id, litres from meters where litres > 0 order by id',
  );
  return Object.fromEntries(rows.map((row) => [row.id, row.litres]));
};

describe('items of any kind', () => {
  it('are processed, listed, shown and reported in the phrases of their kind', async () => {
    const reference = await order([meter(1, 7), meter(2, 41), nobodys, meter(3, 9)]);
    const { body: before } = await person.call(endpoints.task.listMine);
    expect(before.data).toMatchObject([
      { reference_id: reference, item_kind: 'meter', quantity: 4, done: 1, status: 'processing' },
    ]);
    expect(await work()).toBe(1);
    expect(await litres()).toEqual({ 1: 7, 3: 9 });
    await test.database.pool.query('update meters set org_id = 0 where id = 3');
    const shown = await drawer(reference);
    expect(shown.task).toMatchObject({
      item_kind: 'meter',
      status: 'issues',
      done: 4,
      result: { accepted: 2, duplicate: 0, refused: 2 },
      report: { file_name: `cdr-import-${reference}`, bytes: null },
    });
    expect(shown.items).toEqual([
      ['M-1', true, 'done', null],
      ['M-2', true, 'refused', 'CB-01-0017'],
      ['M-?', false, 'refused', 'CB-00-0404'],
      // Sold since then.
      ['M-3', false, 'done', null],
    ]);
    expect(shown.messages[1]).toContain('10');
    expect((await download(reference, 'es-ES')).split('\r\n')).toEqual([
      '\u{feff}Referencia,Cantidad,Resultado,Código,Motivo',
      'M-1,7,Hecho,,',
      expect.stringMatching(/^M-2,41,Rechazado,CB-01-0017,.*10 etiquetas/),
      expect.stringMatching(/^M-\?,0,Rechazado,CB-00-0404,./),
      'M-3,9,Hecho,,',
      '',
    ]);
    const foreign = await colleague.call(endpoints.task.listItems, { params: { taskReference: reference } });
    expect(foreign.body.status.code).toBe('CB-09-0012');
  });

  it('are retried after a failure, each once, and one that always fails is refused alone', async () => {
    const reference = await order([1, 2, 3, 4, 5].map((ref) => meter(ref)));
    breaking = (label) => label === 'M-4';
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(work()).rejects.toThrow('M-4 cannot be read');
    }
    expect((await drawer(reference)).task).toMatchObject({ status: 'processing', done: 2 });
    expect(await work()).toBe(1);
    expect(chunks).toEqual([['M-1', 'M-2'], ['M-3'], ['M-5']]);
    expect(await litres()).toEqual({ 1: 1, 2: 1, 3: 1, 5: 1 });
    const shown = await drawer(reference);
    expect(shown.items[3]).toEqual(['M-4', true, 'refused', 'CB-99-0500']);
    expect(shown.task).toMatchObject({ status: 'issues', result: { accepted: 4, refused: 1 } });
  });

  it('that wait in one task are refused by the next, and released when it is cancelled', async () => {
    const first = await order([meter(1), meter(2), nobodys]);
    const second = await order([meter(2), meter(3)]);
    expect((await drawer(second)).items).toEqual([
      ['M-2', true, 'refused', 'CB-00-0423'],
      ['M-3', true, 'waiting', null],
    ]);
    await cancel(first);
    const shown = await drawer(first);
    expect(shown.items).toEqual([
      ['M-1', true, 'refused', 'CB-09-0022'],
      ['M-2', true, 'refused', 'CB-09-0022'],
      ['M-?', false, 'refused', 'CB-00-0404'],
    ]);
    expect(shown.messages[0]).toBe('The task was cancelled.');
    expect(shown.task).toMatchObject({ status: 'issues', result: { accepted: 0, duplicate: 0, refused: 3 } });
    expect(await download(first)).toContain('M-1,1,Refused,CB-09-0022,The task was cancelled.');
    const third = await order([meter(2)]);
    await work();
    expect((await drawer(third)).items).toEqual([['M-2', true, 'done', null]]);
    expect(await litres()).toEqual({ 2: 1, 3: 1 });
    const { rows } = await test.database.pool.query(
      `select org_id::int as org, actor_kind, subject_name, after from audit_entries where action = 'task.cancelled'`,
    );
    expect(rows).toEqual([
      { org: person.orgId, actor_kind: 'operator', subject_name: first, after: { cancelled: 2 } },
    ]);
  });

  it('that were processed before the task was cancelled stay done', async () => {
    const reference = await order([1, 2, 3].map((ref) => meter(ref)));
    breaking = (label) => label === 'M-3';
    await expect(work()).rejects.toThrow('M-3 cannot be read');
    await cancel(reference);
    breaking = () => false;
    await work();
    const shown = await drawer(reference);
    expect(shown.items.map(([, , state]) => state)).toEqual(['done', 'done', 'refused']);
    expect(shown.task).toMatchObject({ status: 'issues', result: { accepted: 2, refused: 1 } });
    expect(await litres()).toEqual({ 1: 1, 2: 1 });
    await expect(cancel(reference)).rejects.toThrow(`${reference} has ended already`);
  });
});

describe('items whose person may no longer change them', () => {
  /** A task of four items of which the first two have been processed. */
  const halfDone = async () => {
    const reference = await order([1, 2, 3, 4].map((ref) => meter(ref)));
    breaking = (label) => label === 'M-3';
    await expect(work()).rejects.toThrow('M-3 cannot be read');
    breaking = () => false;
    return reference;
  };
  const states = async () =>
    (await test.database.pool.query('select state, code from task_items order by position')).rows.map(
      ({ state, code }) => [state, code],
    );
  const params = () => ({ userId: person.userId, key: 'sim' }) as const;

  it('are refused from the next chunk on when the permission was taken away', async () => {
    const reference = await halfDone();
    await colleague.call(endpoints.account.changePermission, { params: params(), body: { actions: [] } });
    await work();
    expect((await drawer(reference)).items).toEqual([
      ['M-1', true, 'done', null],
      ['M-2', true, 'done', null],
      ['M-3', true, 'refused', 'CB-00-0403'],
      ['M-4', true, 'refused', 'CB-00-0403'],
    ]);
    await colleague.call(endpoints.account.changePermission, {
      params: params(),
      body: { actions: ['read', 'operate'] },
    });
    expect(await work()).toBe(0);
    expect(await litres()).toEqual({ 1: 1, 2: 1 });
  });

  it('are refused from the next chunk on when the account is disabled', async () => {
    await halfDone();
    const membership = 'update memberships set disabled_at = $2 where user_id = $1';
    await test.database.pool.query(membership, [person.userId, test.clock.now()]);
    await work();
    expect(await states()).toEqual([
      ...[
        [1, null],
        [1, null],
      ],
      ...[
        [2, 'CB-07-0008'],
        [2, 'CB-07-0008'],
      ],
    ]);
    await test.database.pool.query(membership, [person.userId, null]);
    expect(await litres()).toEqual({ 1: 1, 2: 1 });
  });

  it('are processed if the operator ordered them on behalf of the person', async () => {
    await colleague.call(endpoints.account.changePermission, { params: params(), body: { actions: [] } });
    await order([meter(1)], operatorActor());
    await work();
    await colleague.call(endpoints.account.changePermission, {
      params: params(),
      body: { actions: ['read', 'operate'] },
    });
    expect(await litres()).toEqual({ 1: 1 });
  });
});

describe('a task without items', () => {
  it('is the file that it makes', async () => {
    const reference = await orderFile(2);
    expect(await download(reference)).toBe('CB-09-0014');
    await work();
    const shown = await drawer(reference);
    expect(shown.task).toMatchObject({
      item_kind: null,
      status: 'done',
      result: { accepted: 2, duplicate: 0, refused: 0 },
      report: { file_name: 'statement.csv', bytes: 600_000 },
    });
    expect(shown.items).toEqual([]);
    expect(await download(reference)).toBe('m'.repeat(600_000));
  });

  it('is available to its person only as long as they have permission for its contents', async () => {
    const reference = await orderFile(1);
    await work();
    const params = { userId: person.userId, key: 'sim' } as const;
    const change = (actions: Action[]) =>
      colleague.call(endpoints.account.changePermission, { params, body: { actions } });
    await change([]);
    expect(await download(reference)).toBe('CB-00-0403');
    await change(['read', 'operate']);
    expect(await download(reference)).toBe('m'.repeat(300_000));
  });

  it.each([
    // The part that follows is the last one.
    ['in the middle', 5, 2],
    ['when all of it is written', 1, 1],
  ])('leaves no file when it is cancelled %s', async (_, parts, made) => {
    const reference = await orderFile(parts);
    whileMaking = () => {
      test.clock.advance(1000);
      return cancel(reference);
    };
    await work();
    expect(partsMade).toBe(made);
    expect((await drawer(reference)).task).toMatchObject({ status: 'issues', result: null, report: null });
    expect(await download(reference)).toBe('CB-09-0014');
    expect((await test.database.pool.query('select from task_files')).rowCount).toBe(0);
  });

  it('that a command runs ends with that command', async () => {
    await test.database.pool.query('update memberships set is_default = true where user_id = $1', [
      person.userId,
    ]);
    const { rows } = await test.database.pool.query('select email from users where id = $1', [person.userId]);
    await task.beginForPerson({ email: rows[0].email, type: 'sim-import', quantity: 3, remark: null });
    const { body } = await person.call(endpoints.task.listMine);
    const reference = body.data[0]?.reference_id ?? '';
    await expect(cancel(reference)).rejects.toThrow(`${reference} is the work of a command`);
    await expect(cancel('T99999999')).rejects.toThrow('There is no such task');
  });
});
