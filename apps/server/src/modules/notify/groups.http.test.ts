import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';

const calls = endpoints.notify;
let test: TestApp;
let admin: TestClient;
let user: TestClient;
let stranger: TestClient;

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);
const make = (name: string, emails = ['ops@example.test'], client = admin) =>
  client.call(calls.createGroup, { body: { name, emails } });
const makePhones = (name: string, phones: string[]) =>
  admin.call(calls.createSmsGroup, { body: { name, phones } });

beforeAll(async () => {
  test = await testApp();
  const own = await makeOrganisation(test, { code: 'own' });
  admin = await signedInAs(test, 'admin', own);
  user = await signedInAs(test, 'user', own);
  stranger = await signedInAs(test, 'superadmin', await makeOrganisation(test, { code: 'foreign' }));
});
afterAll(() => test.close());
beforeEach(() => query('truncate address_groups'));

describe('an address group', () => {
  it('is created and listed by name, in its organisation only', async () => {
    const made = (await make('Night shift', ['B@Example.test ', 'a@example.test'])).body.data;
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Night shift',
      emails: ['b@example.test', 'a@example.test'],
      created_at: '2026-11-21T12:00:00.000Z',
    });
    await make('Day shift');
    const { body } = await admin.call(calls.listGroups);
    expect([body.total_count, body.data.map(({ name }) => name)]).toEqual([2, ['Day shift', 'Night shift']]);
    expect((await stranger.call(calls.listGroups)).body.data).toEqual([]);
    expect((await admin.call(calls.listSmsGroups)).body.data).toEqual([]);
  });

  it('is on one page only, by number and by cursor', async () => {
    for (const name of ['b', 'A', 'c']) await make(name);
    const first = (await admin.call(calls.listGroups, { query: { page_size: 2 } })).body;
    const next = { page_size: 2, cursor: first.next_cursor ?? '' };
    const second = (await admin.call(calls.listGroups, { query: next })).body;
    const byNumber = (await admin.call(calls.listGroups, { query: { page_size: 2, page_no: 2 } })).body;
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['A', 'b', 'c']);
    expect(byNumber.data).toEqual(second.data);
    expect(second.next_cursor).toBeNull();
    const wrong = await admin.call(calls.listGroups, { query: { cursor: 'rubbish' } });
    expect(wrong.body.status.code).toBe('CB-00-0406');
  });

  it('is found by a part of its name or of an address, without wildcards', async () => {
    await make('Night 100% shift', ['ops@Example.test']);
    await make('Day shift', ['night-desk@example.test']);
    await make('Weekend');
    const names = async (search: string) => {
      const { body } = await admin.call(calls.listGroups, { query: { search } });
      return [body.total_count, ...body.data.map(({ name }) => name)];
    };
    expect(await names('nIGHT')).toEqual([2, 'Day shift', 'Night 100% shift']);
    expect(await names('0% s')).toEqual([1, 'Night 100% shift']);
    expect(await names('%')).toEqual([1, 'Night 100% shift']);
    expect(await names('_')).toEqual([0]);
    expect((await stranger.call(calls.listGroups, { query: { search: 'night' } })).body.data).toEqual([]);
    await makePhones('On call', ['4915112345678']);
    const phones = await admin.call(calls.listSmsGroups, { query: { search: '1511' } });
    expect(phones.body.data.map(({ name }) => name)).toEqual(['On call']);
  });

  it.each([
    [['ops@example.test', 'no address'], 'emails.1', 'invalidEmail'],
    [['ops@example.test', 'OPS@example.test'], 'emails.1', 'duplicate'],
    [[], 'emails', 'tooFew'],
    [
      Array.from({ length: limits.addressGroups.emails + 1 }, (_, n) => `p${n}@example.test`),
      'emails',
      'tooMany',
    ],
  ])('is refused with %j', async (emails, path, key) => {
    const { http, body } = await make('Group', emails);
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues).toEqual([expect.objectContaining({ path, key })]);
    expect((await query('select from address_groups')).rowCount).toBe(0);
  });

  it('has a unique name, regardless of case', async () => {
    await make('Shift');
    expect((await make(' sHIFT ')).body.status.code).toBe('CB-09-0016');
    expect((await makePhones('Shift', ['4915112345678'])).http).toBe(200);
    expect((await make('Shift', undefined, stranger)).http).toBe(200);
    const other = (await make('Other')).body.data;
    const body = { groupId: other.id, name: 'shift', emails: other.emails };
    expect((await admin.call(calls.updateGroup, { body })).body.status.code).toBe('CB-09-0016');
  });

  it('of one name is created once by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make('Race')));
    const codes = answers.map(({ body }) => body.status.code).toSorted((a, b) => a.localeCompare(b));
    expect(codes).toEqual(['CB-00-0000', ...Array.from({ length: 7 }, () => 'CB-09-0016')]);
  });

  it('is limited in number', async () => {
    await query(
      `insert into address_groups (org_id, kind, name, addresses)
       select $1, 'email', 'g' || n, '{a@example.test}' from generate_series(1, $2) n`,
      [admin.orgId, limits.addressGroups.perOrganisation - 1],
    );
    const answers = await Promise.all([make('one'), make('two')]);
    const codes = answers.map(({ body }) => body.status.code).toSorted((a, b) => a.localeCompare(b));
    expect(codes).toEqual(['CB-00-0000', 'CB-09-0018']);
    expect((await make('three')).body.status.message).toBe(
      'An organisation can have at most 100 groups of each kind',
    );
  });

  it('is changed with an entry in the audit trail, and without one when nothing changes', async () => {
    const { id } = (await make('Shift')).body.data;
    const body = { groupId: id, name: 'Shift', emails: ['new@example.test'] };
    const changed = await admin.call(calls.updateGroup, { body });
    expect(changed.body.data).toMatchObject({ id, emails: ['new@example.test'] });
    expect((await admin.call(calls.updateGroup, { body })).http).toBe(200);
    const { rows } = await query(
      `select before, after from audit_entries where action = 'address-group.changed' and subject_id = $1
       order by number`,
      [id],
    );
    expect(rows).toEqual([
      { before: null, after: { name: 'Shift', emails: ['ops@example.test'] } },
      { before: { emails: ['ops@example.test'] }, after: { emails: ['new@example.test'] } },
    ]);
  });

  it('is not found in another organisation, nor among SMS groups', async () => {
    const { id } = (await make('Shift')).body.data;
    const body = { groupId: id, name: 'Taken over', emails: ['a@example.test'] };
    const foreign = await stranger.call(calls.updateGroup, { body });
    expect([foreign.http, foreign.body.status.code]).toEqual([404, 'CB-09-0017']);
    const phones = { groupId: id, name: 'Taken over', phones: ['4915112345678'] };
    expect((await admin.call(calls.updateSmsGroup, { body: phones })).body.status.code).toBe('CB-09-0017');
    expect((await user.call(calls.updateGroup, { body })).http).toBe(403);
    expect((await user.call(calls.listGroups)).http).toBe(403);
  });
});

describe('an SMS subscriber', () => {
  it('has numbers in international form without a plus', async () => {
    const made = await makePhones('On call', ['4915112345678', '85212345678']);
    expect(made.body.data).toMatchObject({ name: 'On call', phones: ['4915112345678', '85212345678'] });
    const { data } = (await admin.call(calls.listSmsGroups)).body;
    expect(data.map(({ name }) => name)).toEqual(['On call']);
    const groupId = made.body.data.id;
    const changed = await admin.call(calls.updateSmsGroup, {
      body: { groupId, name: 'Calls', phones: ['85212345678'] },
    });
    expect(changed.body.data).toMatchObject({ name: 'Calls', phones: ['85212345678'] });
  });

  it.each([[['+4915112345678']], [['0049 151']], [['49-151']], [['85212345678', '85212345678']], [[]]])(
    'is refused with %j',
    async (phones) => {
      expect((await makePhones('Calls', phones)).body.status.code).toBe('CB-00-0400');
    },
  );
});
