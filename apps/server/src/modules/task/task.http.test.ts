import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/db/index.ts';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../testing/app.ts';
import { endTask, startTask } from './task.service.ts';

const { listMine } = endpoints.task;

let test: TestApp;
let person: TestClient;
let colleague: TestClient;
let elsewhere: TestClient;

const begin = (client: TestClient, ago: number, remark: string) =>
  inTransaction(test.database.pool, (tx) =>
    startTask(tx, {
      orgId: client.orgId,
      userId: client.userId,
      type: 'sim-import',
      quantity: 10,
      remark,
      at: new Date(test.clock.now().getTime() - ago),
    }),
  );

beforeAll(async () => {
  test = await testApp();
  const own = await makeOrganisation(test, { code: 'own' });
  const other = await makeOrganisation(test, { code: 'other' });
  person = await signedInAs(test, 'user', own);
  colleague = await signedInAs(test, 'superadmin', own);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: person.userId,
    orgId: other.id,
    role: 'admin',
    oversight: false,
  });
  elsewhere = { ...person, orgId: other.id };
  await begin(person, 7 * 24 * hourMs + 1000, 'too old');
  await begin(person, 7 * 24 * hourMs - 1000, 'just in time');
  const ended = await begin(person, 2 * hourMs, 'ended');
  await inTransaction(test.database.pool, (tx) =>
    endTask(tx, {
      id: ended,
      status: 'issues',
      result: { accepted: 7, duplicate: 2, refused: 1 },
      at: new Date(test.clock.now().getTime() - hourMs),
    }),
  );
  await begin(person, 90_000, 'newest');
  await begin(colleague, 1000, 'of a colleague');
  await begin(elsewhere, 1000, 'of another organisation');
});

afterAll(() => test.close());

describe('my tasks', () => {
  it('are those of the person, in this organisation and of the last 7 days, newest first', async () => {
    const { body } = await person.call(listMine);
    expect(body.data.map(({ remark }) => remark)).toEqual(['newest', 'ended', 'just in time']);
    expect(body.total_count).toBe(3);
    expect(Date.parse(body.as_of ?? '')).not.toBeNaN();
    expect(body.data[0]).toMatchObject({
      type: 'sim-import',
      quantity: 10,
      done: 0,
      status: 'processing',
      ended_at: null,
      elapsed_seconds: 90,
      result: null,
    });
    expect(body.data[1]).toMatchObject({
      status: 'issues',
      elapsed_seconds: 3600,
      result: { accepted: 7, duplicate: 2, refused: 1 },
    });
    const other = await colleague.call(listMine);
    expect(other.body.data.map(({ remark }) => remark)).toEqual(['of a colleague']);
  });

  it('can be filtered by status, and are listed page by page', async () => {
    const processing = await person.call(listMine, { query: { status: 'processing' } });
    expect(processing.body.total_count).toBe(2);
    const first = await person.call(listMine, { query: { page_size: 2 } });
    expect(first.body.data).toHaveLength(2);
    const cursor = first.body.next_cursor ?? '';
    const rest = await person.call(listMine, { query: { page_size: 2, cursor } });
    expect(rest.body.data.map(({ remark }) => remark)).toEqual(['just in time']);
    expect(rest.body.next_cursor).toBeNull();
    expect((await person.call(listMine, { query: { cursor: 'rubbish' } })).body.status.code).toBe(
      'CB-00-0406',
    );
  });

  it('need a session', async () => {
    expect((await anonymous(test).call(listMine)).http).toBe(401);
  });
});
