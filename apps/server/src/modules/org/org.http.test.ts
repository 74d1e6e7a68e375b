import { type Envelope, endpoints, headers, limits } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  clientOf,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
  testPassword,
} from '../../testing/app.ts';

type Org = Awaited<ReturnType<typeof makeOrganisation>>;

let test: TestApp;
let operator: Org;
let customer: Org;
let person: TestClient;
const names = Array.from({ length: 12 }, (_, i) => `branch-${String(i).padStart(2, '0')}`);
const { listMine } = endpoints.org;

beforeAll(async () => {
  test = await testApp();
  operator = await makeOrganisation(test, { code: 'operator' });
  customer = await makeOrganisation(test, { code: 'zz-customer', parentCode: operator.code });
  person = await signedInAs(test, 'user', customer);
  for (const code of names) {
    const org = await makeOrganisation(test, { code, parentCode: customer.code });
    const membership = { userId: person.userId, orgId: org.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
  }
});

afterAll(() => test.close());

describe('my organisations', () => {
  it('are listed with the default one first, then by name, page by page', async () => {
    const { body } = await person.call(listMine, { query: { page_size: 5 } });
    expect(body.total_count).toBe(13);
    expect(body.data.map((org) => org.code)).toEqual(['zz-customer', ...names.slice(0, 4)]);
    expect(body.data[0]).toMatchObject({
      id: String(customer.id),
      name: 'zz-customer Limited',
      country: 'DE',
      tenantId: customer.tenantId,
      default: true,
      role: 'user',
      parent_code: 'operator',
    });
    expect(body.data[1]).toMatchObject({ role: 'admin', default: false, parent_code: 'zz-customer' });
    const last = await person.call(listMine, { query: { page_size: 5, page_no: 3 } });
    expect(last.body.data.map((org) => org.code)).toEqual(names.slice(9));
    expect(last.body.next_cursor).toBeNull();
  });

  it('are all listed once along the cursor', async () => {
    const met: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { page_size: 4, ...(cursor && { cursor }) };
      const { body } = await person.call(listMine, { query });
      met.push(...body.data.map((org) => org.code));
      cursor = body.next_cursor;
    } while (cursor);
    expect(met).toEqual(['zz-customer', ...names]);
  });

  it('are found by part of the code or name, without wildcards', async () => {
    const found = async (search: string) => (await person.call(listMine, { query: { search } })).body;
    expect((await found('BRANCH-03')).data.map((org) => org.code)).toEqual(['branch-03']);
    expect((await found('ch-1')).total_count).toBe(2);
    expect((await found('%')).total_count).toBe(0);
    expect((await found("'")).total_count).toBe(0);
  });

  it('can be limited to those in which the person is an admin', async () => {
    const { body } = await person.call(listMine, { query: { administered: 'true' } });
    expect(body.data.map((org) => org.code)).toEqual(names);
  });

  it('reject the cursor of another list', async () => {
    for (const cursor of [
      'x',
      Buffer.from('[0,"a"]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]) {
      const { http, body } = await person.call(listMine, { query: { cursor } });
      expect([http, body.status.code]).toEqual([400, 'CB-00-0406']);
    }
  });

  it('do not include those of others', async () => {
    const stranger = await signedInAs(test, 'superadmin', operator);
    const { body } = await stranger.call(listMine);
    expect(body.data.map((org) => org.code)).toEqual(['operator']);
  });
});

describe('a person with more organisations than a sign-in returns', () => {
  const count = limits.organisationsAtSignIn + 1;
  let overseer: TestClient;

  beforeAll(async () => {
    overseer = await signedInAs(test, 'superadmin', operator);
    await test.database.pool.query(
      `with created as (
         insert into organisations (code, name, country, parent_id)
         select 'many-' || n, 'Many ' || to_char(n, 'FM0000'), 'DE', $2 from generate_series(1, $3::int) n returning id)
       insert into memberships (user_id, org_id, role) select $1, id, 'admin' from created`,
      [overseer.userId, operator.id, count],
    );
  });

  it('signs in with the default one and the first ones by name', async () => {
    const { rows } = await test.database.pool.query('select email from users where id = $1', [
      overseer.userId,
    ]);
    const body = { email: rows[0].email, password: testPassword, agreement: true };
    const { data } = (await anonymous(test).call(endpoints.identity.signIn, { body })).body;
    expect(data.rolesInfo).toHaveLength(limits.organisationsAtSignIn);
    expect(data.rolesInfo.slice(0, 2).map(({ code }) => code)).toEqual(['operator', 'many-1']);
    expect(data.partnerCode).toBe('operator');
  });

  it('finds and enters any other', async () => {
    const { body } = await overseer.call(listMine, { query: { search: `many-${count}` } });
    expect(body).toMatchObject({ total_count: 1, data: [{ code: `many-${count}`, role: 'admin' }] });
    const [{ tenantId = '' } = {}] = body.data;
    const entered = { [headers.tenantId]: tenantId, [headers.partnerCode]: `many-${count}` };
    const answer = await overseer.call(endpoints.account.refreshPermissions, {}, { headers: entered });
    expect(answer).toMatchObject({ http: 200, body: { data: { role: 'admin' } } });
  });
});

describe('the organisation of a call', () => {
  const live = endpoints.identity.connectLive;
  const asked = async (headersOfCall: Record<string, string>) => {
    const query = { userId: 'another person' };
    const client = clientOf(test, { ...person, headers: headersOfCall });
    const { http, body } = await client.call(live, { query });
    return [http, (body as Envelope<unknown>).status.code];
  };
  /** The person may be here, but what they ask for does not exist. */
  const inside = [404, 'CB-00-0404'];
  const outside = [403, 'CB-07-0008'];

  it('is that of the tenant id, whose code must match', async () => {
    const { authorization = '' } = person.headers;
    const own = {
      authorization,
      [headers.tenantId]: customer.tenantId,
      [headers.partnerCode]: customer.code,
    };
    expect(await asked(own)).toEqual(inside);
    expect(await asked({ ...own, [headers.tenantId]: customer.tenantId.toUpperCase() })).toEqual(inside);
    expect(await asked({ authorization })).toEqual(outside);
    expect(await asked({ authorization, [headers.tenantId]: customer.tenantId })).toEqual(outside);
    expect(await asked({ ...own, [headers.partnerCode]: operator.code })).toEqual(outside);
    expect(await asked({ ...own, [headers.tenantId]: operator.tenantId })).toEqual(outside);
    for (const tenantId of ['', '1', "' or true --", '00000000-0000-0000-0000-000000000000']) {
      expect(await asked({ ...own, [headers.tenantId]: tenantId })).toEqual(outside);
    }
  });

  it('is lost with the membership, immediately', async () => {
    const leaver = await signedInAs(test, 'admin', customer);
    const client = clientOf(test, leaver);
    const query = { userId: 'another person' };
    expect((await client.call(live, { query })).http).toBe(404);
    await test.database.pool.query('delete from memberships where user_id = $1', [leaver.userId]);
    expect((await client.call(live, { query })).http).toBe(403);
  });
});

describe('oversight', () => {
  it('makes accounts of the first-level organisation admins of new organisations below it, at any depth', async () => {
    const first = await makeOrganisation(test, { code: 'first-level', parentCode: operator.code });
    const boss = await signedInAs(test, 'superadmin', first);
    const overseer = await signedInAs(test, 'user', first);
    const plain = await signedInAs(test, 'admin', first);
    const { pool } = test.database;
    await pool.query('update memberships set oversight = true where user_id = $1', [overseer.userId]);
    const second = await makeOrganisation(test, { code: 'second-level', parentCode: first.code });
    const third = await makeOrganisation(test, { code: 'third-level', parentCode: second.code });
    for (const org of [second, third]) {
      const { rows } = await pool.query('select user_id, role from memberships where org_id = $1', [org.id]);
      expect(rows).toHaveLength(2);
      expect(rows).toEqual(
        expect.arrayContaining([
          { user_id: boss.userId, role: 'admin' },
          { user_id: overseer.userId, role: 'admin' },
        ]),
      );
      expect(rows.map((row) => row.user_id)).not.toContain(plain.userId);
    }
  });
});

it('an organisation needs a free code and an existing parent', async () => {
  const wanted = { code: 'northwind', name: 'Northwind Ltd.', country: 'GB', parentCode: undefined };
  const { createOrganisation } = test.wiring.org;
  const { pool } = test.database;
  await createOrganisation(pool, wanted);
  await expect(createOrganisation(pool, wanted)).rejects.toThrow('Organisation northwind already exists');
  await expect(createOrganisation(pool, { ...wanted, code: 'NorthWind' })).rejects.toThrow('already');
  const orphan = { ...wanted, code: 'orphan', parentCode: 'nobody' };
  await expect(createOrganisation(pool, orphan)).rejects.toThrow('There is no organisation nobody');
  await expect(createOrganisation(pool, { ...wanted, name: 'No' })).rejects.toThrow(
    'name: At least 5 characters',
  );
});
