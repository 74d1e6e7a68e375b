import { endpoints, headers, limits, type RequestOf } from '@simcube/contract';
import type { SavedView } from '@simcube/contract/sim';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';

const { sim } = endpoints;
let test: TestApp;
let ada: TestClient;
let ben: TestClient;
let admin: TestClient;
let elsewhere: TestClient;
let acme: Awaited<ReturnType<typeof makeOrganisation>>;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  ada = await signedInAs(test, 'user', acme);
  ben = await signedInAs(test, 'operator', acme);
  admin = await signedInAs(test, 'admin', acme);
  elsewhere = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'other' }));
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('delete from saved_views; delete from saved_view_orders'));

const save = (who: TestClient, name: string, filter: object = {}) =>
  who.call(sim.saveView, { body: { name, filter } });
const saved = async (who: TestClient, name: string, filter: object = {}) =>
  (await save(who, name, filter)).body.data.id;
const shared = async (who: TestClient, name: string) => {
  const viewId = await saved(who, name);
  expect((await who.call(sim.shareView, { params: { viewId } })).http).toBe(200);
  return viewId;
};
const viewsOf = async (who: TestClient): Promise<SavedView[]> => (await who.call(sim.listViews)).body.data;
const namesOf = async (who: TestClient) => (await viewsOf(who)).map(({ name }) => name);
const codeOf = ({ http, body }: { http: number; body: { status: { code: string } } }) => [
  http,
  body.status.code,
];
const auditOf = async (id: string) =>
  (
    await test.database.pool.query<{ action: string; before: unknown; after: unknown }>(
      `select action, before, after from audit_entries where subject_kind = 'view' and subject_id = $1 order by number`,
      [id],
    )
  ).rows;
const notAllowed = [403, 'CB-00-0403'];
const notThere = [404, 'CB-00-0404'];

describe('saved views', () => {
  it('are private, listed by name, with filter and sort as they were saved', async () => {
    const filter = { lifecycle: ['active'], tags: ['eu'], usage_percent_min: 80, not_empty: ['apn'] };
    const made = await ada.call(sim.saveView, {
      body: { name: 'Over 80', filter: filter as SavedView['filter'], sort: '-expires_at' },
    });
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Over 80',
      filter,
      sort: '-expires_at',
      outdated: false,
      shared: false,
      own: true,
      owner: 'user Tester',
      may: ['change', 'share', 'remove'],
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
    });
    await save(ada, 'all');
    await save(ben, 'Ben’s');
    expect(await namesOf(ada)).toEqual(['all', 'Over 80']);
    expect(await namesOf(ben)).toEqual(['Ben’s']);
    expect(await namesOf(elsewhere)).toEqual([]);
    expect(await auditOf(made.body.data.id)).toEqual([
      { action: 'view.saved', before: null, after: { name: 'Over 80', filter, sort: '-expires_at' } },
    ]);
  });

  it('have unique names, regardless of case and width', async () => {
    await save(ada, 'Trucks');
    expect(codeOf(await save(ada, 'trucks'))).toEqual([409, 'CB-01-0023']);
    expect((await save(ben, 'trucks')).http).toBe(200);
  });

  it('are removed by their owner only', async () => {
    const viewId = await saved(ada, 'Trucks');
    for (const who of [ben, admin, elsewhere]) {
      expect((await who.call(sim.removeView, { params: { viewId } })).http).toBe(404);
    }
    expect((await ada.call(sim.removeView, { params: { viewId } })).http).toBe(200);
    expect((await ada.call(sim.removeView, { params: { viewId } })).http).toBe(404);
    expect(await namesOf(ada)).toEqual([]);
  });

  it('are limited in number, even under concurrent requests', async () => {
    const max = limits.savedViews.perPerson;
    const answers = await Promise.all(
      Array.from({ length: max + 5 }, (_, index) => save(ada, `view ${index}`)),
    );
    const refused = answers.filter(({ http }) => http !== 200);
    expect(refused.map(({ body }) => body.status.code)).toEqual(Array(5).fill('CB-01-0022'));
    expect(await namesOf(ada)).toHaveLength(max);
  });

  it('drop conditions that lists no longer have', async () => {
    const id = await saved(ada, 'Old');
    await test.database.pool.query(
      `update saved_views set sort = 'colour',
         filter = '{"lifecycle": ["active"], "connection": ["gone"], "colour": "red"}' where id = $1`,
      [id],
    );
    expect(await viewsOf(ada)).toMatchObject([
      { filter: { lifecycle: ['active'] }, sort: null, outdated: true },
    ]);
  });

  it('with an unknown filter key are rejected, naming the key', async () => {
    const { body, http } = await save(ada, 'Misspelt', { lifecyle: ['terminated'] });
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues).toEqual([
      {
        path: 'filter.lifecyle',
        key: 'unknownField',
        values: { field: 'lifecyle' },
        message: 'Unknown field: lifecyle',
      },
    ]);
    expect(await namesOf(ada)).toEqual([]);
  });

  it('are saved once when the same request comes twice', async () => {
    const again = { headers: { [headers.idempotencyKey]: 'view-1' } };
    const body = { name: 'Once', filter: {} };
    const [first, second] = [
      await ada.call(sim.saveView, { body }, again),
      await ada.call(sim.saveView, { body }, again),
    ];
    expect(second.body.data).toEqual(first.body.data);
    expect(await namesOf(ada)).toEqual(['Once']);
  });
});

describe('a saved view is changed', () => {
  it('in its name, its filter or its sort; what is left out stays', async () => {
    const viewId = await saved(ada, 'Trucks', { device_name: 'Truck' });
    const change = async (body: RequestOf<typeof sim.updateView>['body']) =>
      (await ada.call(sim.updateView, { params: { viewId }, body })).body.data;
    expect(await change({ name: 'Vans' })).toMatchObject({
      name: 'Vans',
      filter: { device_name: 'Truck' },
    });
    expect(await change({ filter: { device_name: 'Van' }, sort: 'iccid' })).toMatchObject({
      name: 'Vans',
      filter: { device_name: 'Van' },
      sort: 'iccid',
    });
    expect(await change({ sort: null })).toMatchObject({ filter: { device_name: 'Van' }, sort: null });
    expect(await auditOf(viewId)).toMatchObject([
      { action: 'view.saved' },
      { action: 'view.changed', before: { name: 'Trucks' }, after: { name: 'Vans' } },
      {
        action: 'view.changed',
        before: { filter: { device_name: 'Truck' }, sort: null },
        after: { filter: { device_name: 'Van' }, sort: 'iccid' },
      },
      { action: 'view.changed', before: { sort: 'iccid' }, after: { sort: null } },
    ]);
  });

  it('without an entry in the audit trail when nothing changes', async () => {
    const viewId = await saved(ada, 'Trucks', { device_name: 'Truck' });
    const body = { name: 'Trucks', filter: { device_name: 'Truck' }, sort: null };
    expect((await ada.call(sim.updateView, { params: { viewId }, body })).http).toBe(200);
    expect((await ada.call(sim.updateView, { params: { viewId }, body: {} })).http).toBe(200);
    expect(await auditOf(viewId)).toHaveLength(1);
  });

  it('only to a name that is unique for the person, regardless of case and width', async () => {
    await saved(ada, 'Vans');
    const viewId = await saved(ada, 'Trucks');
    const rename = (name: string) => ada.call(sim.updateView, { params: { viewId }, body: { name } });
    expect(codeOf(await rename('vans'))).toEqual([409, 'CB-01-0023']);
    expect((await rename('TRUCKS')).body.data.name).toBe('TRUCKS');
    const races = await Promise.all(
      ['Trucks', 'Trikes'].map(async (name) => {
        const id = await saved(ada, name === 'Trikes' ? 'Bikes' : 'Boats');
        return ada.call(sim.updateView, { params: { viewId: id }, body: { name: 'Ships' } });
      }),
    );
    expect(races.map(({ http }) => http).toSorted()).toEqual([200, 409]);
  });
});

describe('a shared view', () => {
  it('is seen by the whole organisation and changed by its owner only', async () => {
    const viewId = await shared(ada, 'Trucks');
    expect(await viewsOf(ada)).toMatchObject([
      { own: true, shared: true, may: ['change', 'withdraw', 'remove'] },
    ]);
    expect(await viewsOf(ben)).toMatchObject([
      { id: viewId, own: false, shared: true, owner: 'user Tester', may: [] },
    ]);
    expect(await viewsOf(elsewhere)).toEqual([]);
    const params = { viewId };
    for (const who of [ben, admin]) {
      expect(codeOf(await who.call(sim.updateView, { params, body: { name: 'Mine' } }))).toEqual(notAllowed);
      expect(codeOf(await who.call(sim.removeView, { params }))).toEqual(notAllowed);
      expect(codeOf(await who.call(sim.shareView, { params }))).toEqual(notAllowed);
    }
    expect(codeOf(await ben.call(sim.withdrawView, { params }))).toEqual(notAllowed);
    expect(codeOf(await elsewhere.call(sim.withdrawView, { params }))).toEqual(notThere);
    // Others save a copy, even under its name.
    expect((await save(ben, 'Trucks')).http).toBe(200);
    const renamed = await ada.call(sim.updateView, { params, body: { name: 'Lorries' } });
    expect(renamed.body.data).toMatchObject({ name: 'Lorries', shared: true });
    expect(await namesOf(ben)).toEqual(['Lorries', 'Trucks']);
  });

  it('is withdrawn by its owner, or by an administrator, and remains its owner’s', async () => {
    for (const who of [ada, admin]) {
      const viewId = await shared(ada, who === ada ? 'Trucks' : 'Vans');
      if (who === admin) expect(await viewsOf(admin)).toMatchObject([{ own: false, may: ['withdraw'] }]);
      expect((await who.call(sim.withdrawView, { params: { viewId } })).http).toBe(200);
      expect(await viewsOf(ben)).toEqual([]);
      expect(await auditOf(viewId)).toMatchObject([
        { action: 'view.saved' },
        { action: 'view.shared', after: { shared: true } },
        { action: 'view.withdrawn', before: { shared: true } },
      ]);
    }
    expect(await namesOf(ada)).toHaveLength(2);
  });

  it('is shared and withdrawn once, however often it is requested', async () => {
    const viewId = await shared(ada, 'Trucks');
    const params = { viewId };
    expect((await ada.call(sim.shareView, { params })).body.data.shared).toBe(true);
    for (const _ of [1, 2]) expect((await ada.call(sim.withdrawView, { params })).http).toBe(200);
    expect((await auditOf(viewId)).map(({ action }) => action)).toEqual([
      'view.saved',
      'view.shared',
      'view.withdrawn',
    ]);
  });

  it('is limited in number per organisation, even under concurrent requests', async () => {
    const max = limits.savedViews.shared;
    await test.database.pool.query(
      `insert into saved_views (org_id, user_id, name, filter, shared_at, updated_at)
       select $1, $2, 'v' || n, '{}', now(), now() from generate_series(1, $3) n`,
      [ben.orgId, ben.userId, max - 2],
    );
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => saved(ada, name)));
    const answers = await Promise.all(ids.map((viewId) => ada.call(sim.shareView, { params: { viewId } })));
    const refused = answers.filter(({ http }) => http !== 200);
    expect(refused.map(({ body }) => body.status.code)).toEqual(['CB-01-0027', 'CB-01-0027']);
    expect(refused[0]?.body.status.message).toBe('An organisation can share at most 50 views.');
    expect(await viewsOf(admin)).toHaveLength(max);
  });
});

describe('views of a person who leaves', () => {
  const leave = async () => {
    const leaver = await signedInAs(test, 'user', acme);
    const viewId = await shared(leaver, 'Trucks');
    const own = await saved(leaver, 'Mine');
    const removed = await admin.call(endpoints.account.remove, { params: { userId: leaver.userId } });
    expect(removed.http).toBe(200);
    return { leaver, viewId, own };
  };

  it('are deleted, except shared ones, which then belong to the organisation and its administrators', async () => {
    const { leaver, viewId } = await leave();
    expect(await viewsOf(ben)).toMatchObject([
      { id: viewId, own: false, owner: null, shared: true, may: [] },
    ]);
    expect(await viewsOf(admin)).toMatchObject([{ id: viewId, owner: null, may: ['change', 'remove'] }]);
    const { rows } = await test.database.pool.query('select id from saved_views');
    expect(rows).toEqual([{ id: Number(viewId) }]);
    expect((await auditOf(viewId)).at(-1)).toEqual({
      action: 'view.passed-on',
      before: { owner: leaver.userId },
      after: null,
    });
    const params = { viewId };
    expect(codeOf(await admin.call(sim.withdrawView, { params }))).toEqual([409, 'CB-01-0028']);
    expect(codeOf(await ben.call(sim.withdrawView, { params }))).toEqual(notAllowed);
    const renamed = await admin.call(sim.updateView, { params, body: { name: 'Fleet' } });
    expect(renamed.body.data.name).toBe('Fleet');
    expect((await admin.call(sim.removeView, { params })).http).toBe(200);
    expect(await viewsOf(ben)).toEqual([]);
  });
});

describe('the order of views', () => {
  const order = (who: TestClient, view_ids: string[]) => who.call(sim.orderViews, { body: { view_ids } });

  it('is personal, including shared ones; the others follow by name', async () => {
    const a = await saved(ada, 'a');
    const b = await shared(ada, 'b');
    const c = await shared(ben, 'c');
    expect((await order(ada, [c, a])).http).toBe(200);
    expect(await namesOf(ada)).toEqual(['c', 'a', 'b']);
    await save(ada, 'aa');
    expect(await namesOf(ada)).toEqual(['c', 'a', 'aa', 'b']);
    expect(await namesOf(ben)).toEqual(['b', 'c']);
    expect((await order(ada, [b, c, a])).http).toBe(200);
    await ben.call(sim.withdrawView, { params: { viewId: c } });
    expect(await namesOf(ada)).toEqual(['b', 'a', 'aa']);
  });

  it('does not accept views that the person can’t see', async () => {
    const a = await saved(ada, 'a');
    for (const other of [await saved(ben, 'b'), await shared(elsewhere, 'c'), '999999999']) {
      expect(codeOf(await order(ada, [a, other]))).toEqual(notThere);
    }
    expect((await order(ada, [a, a, `0${a}`])).http).toBe(200);
    expect((await order(ada, [])).http).toBe(200);
    expect((await order(ada, ['x'])).http).toBe(400);
  });
});

it('a person’s views are separate in each organisation', async () => {
  const beside = await makeOrganisation(test, { code: 'beside' });
  await test.database.pool.query(`insert into memberships (user_id, org_id, role) values ($1, $2, 'user')`, [
    ada.userId,
    beside.id,
  ]);
  const adaBeside = { headers: { 'tenant-id': beside.tenantId, 'partner-code': beside.code } };
  const viewId = await shared(ada, 'Trucks');
  const { body } = await ada.call(sim.saveView, { body: { name: 'Trucks', filter: {} } }, adaBeside);
  expect((await ada.call(sim.listViews, {}, adaBeside)).body.data.map(({ id }) => id)).toEqual([
    body.data.id,
  ]);
  expect((await viewsOf(ada)).map(({ id }) => id)).toEqual([viewId]);
  const renamed = await ada.call(sim.updateView, { params: { viewId }, body: { name: 'x' } }, adaBeside);
  expect(codeOf(renamed)).toEqual(notThere);
});
