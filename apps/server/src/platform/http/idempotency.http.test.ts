import { endpoints, headers } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clientOf,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { waitForBlockedStatements } from '../../testing/locks.ts';
import { upload } from '../../testing/upload.ts';

const { sim, notify } = endpoints;
let test: TestApp;
let north: Awaited<ReturnType<typeof makeOrganisation>>;
let south: typeof north;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  north = await makeOrganisation(test, { code: 'north' });
  south = await makeOrganisation(test, { code: 'south' });
  admin = await signedInAs(test, 'admin', north);
});
afterAll(() => test.close());

const keyed = (key: string) => ({ headers: { [headers.idempotencyKey]: key } });
const makeGroup = (client: TestClient, key: string, name: string) =>
  client.call(notify.createGroup, { body: { name, emails: ['ops@example.test'] } }, keyed(key));
const inSouth = (client: TestClient): TestClient =>
  clientOf(test, {
    ...client,
    headers: { ...client.headers, [headers.tenantId]: south.tenantId, [headers.partnerCode]: south.code },
  });
const groups = async (client: TestClient): Promise<string[]> =>
  (await client.call(notify.listGroups)).body.data.map(({ name }) => name);

describe('a write with an Idempotency-Key', () => {
  it('is processed once, and a repeat gets the same response, marked as replayed', async () => {
    const first = await makeGroup(admin, 'once', 'Night shift');
    const again = await makeGroup(admin, 'once', 'Night shift');
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers: sent }) => sent[headers.idempotencyReplayed])).toEqual([
      undefined,
      'true',
    ]);
    expect(await groups(admin)).toEqual(['Night shift']);
  });

  it('is processed separately per organisation and person', async () => {
    const { wiring, database } = test;
    await wiring.org.addMembership(database.pool, {
      userId: admin.userId,
      orgId: south.id,
      role: 'admin',
      oversight: false,
    });
    const client = await signedInAs(test, 'admin', south);
    expect(await groups(client)).toEqual([]);
    await makeGroup(admin, 'both', 'Day shift');
    const other = await makeGroup(inSouth(admin), 'both', 'Day shift');
    expect(other.headers[headers.idempotencyReplayed]).toBeUndefined();
    expect(await groups(client)).toEqual(['Day shift']);
    // Another person of that organisation has separate keys.
    expect((await makeGroup(client, 'both', 'Weekend')).http).toBe(200);
    expect(await groups(client)).toEqual(['Day shift', 'Weekend']);
  });

  it('is rejected if the key was used with another body or path', async () => {
    await makeGroup(admin, 'reused', 'Holidays');
    const otherBody = await makeGroup(admin, 'reused', 'Festivals');
    const otherCall = await admin.call(notify.listGroups, {}, keyed('reused'));
    const otherAddress = await admin.call(
      notify.createSmsGroup,
      { body: { name: 'Holidays', phones: ['4915112345678'] } },
      keyed('reused'),
    );
    expect([otherBody.http, otherBody.body.status.code]).toEqual([422, 'CB-00-0422']);
    expect([otherAddress.http, otherAddress.body.status.code]).toEqual([422, 'CB-00-0422']);
    expect(otherCall.http).toBe(200);
  });

  it('is rejected if the key was used with another file', async () => {
    const { iccid } = await makeSim(test.database.pool, north.id);
    const send = (content: string) =>
      upload(test, clientOf(test, { ...admin, headers: { ...admin.headers, ...keyed('file').headers } }), {
        endpoint: sim.readIdentifiers,
        params: {},
        name: 'list.csv',
        content,
      });
    expect((await send(iccid)).http).toBe(200);
    expect((await send(iccid)).headers[headers.idempotencyReplayed]).toBe('true');
    expect((await send(`${iccid}0`)).body.status.code).toBe('CB-00-0422');
  });

  it('is rejected while the first one is in progress', async () => {
    const { pool } = test.database;
    const holder = await pool.connect();
    await holder.query('begin; lock table notification_targets in exclusive mode');
    const first = makeGroup(admin, 'slow', 'Spring');
    await waitForBlockedStatements(pool);
    const { http, body, headers: answered } = await makeGroup(admin, 'slow', 'Spring');
    expect([http, body.status.code, answered['retry-after']]).toEqual([409, 'CB-00-0423', '1']);
    await holder.query('commit');
    holder.release();
    expect((await first).http).toBe(200);
    expect((await makeGroup(admin, 'slow', 'Spring')).headers[headers.idempotencyReplayed]).toBe('true');
  });

  it('may be retried with the same key after a rejection', async () => {
    await makeGroup(admin, 'first', 'Autumn');
    expect((await makeGroup(admin, 'taken', 'Autumn')).body.status.code).toBe('CB-09-0016');
    await test.database.pool.query(`delete from notification_targets where name = 'Autumn'`);
    expect((await makeGroup(admin, 'taken', 'Autumn')).http).toBe(200);
  });

  it.each(['', 'with blank', 'ñ', 'x'.repeat(256)])('is rejected for the key %j', async (key) => {
    const { http, body } = await makeGroup(admin, key, 'Nothing');
    expect([http, body.status.detail?.issues?.[0]?.path]).toEqual([400, 'idempotency-key']);
  });
});
