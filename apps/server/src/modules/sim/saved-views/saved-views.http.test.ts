import { endpoints, limits } from '@simcube/contract';
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
let elsewhere: TestClient;

beforeAll(async () => {
  test = await testApp();
  const acme = await makeOrganisation(test, { code: 'acme' });
  ada = await signedInAs(test, 'user', acme);
  ben = await signedInAs(test, 'admin', acme);
  elsewhere = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'other' }));
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('delete from saved_views'));

const save = (who: TestClient, name: string, filter: object = {}) =>
  who.call(sim.saveView, { body: { name, filter } });
const namesOf = async (who: TestClient) => (await who.call(sim.listViews)).body.data.map(({ name }) => name);

describe('saved views', () => {
  it('are one’s own, by name, with the filter as it was given', async () => {
    const filter = { lifecycle: ['active'], tags: ['eu'], usage_percent_min: 80, not_empty: ['apn'] };
    const made = await save(ada, 'Over 80', filter);
    expect(made.body.data).toMatchObject({ name: 'Over 80', filter, created_at: '2026-11-21T12:00:00.000Z' });
    await save(ada, 'all');
    await save(ben, 'Ben’s');
    expect(await namesOf(ada)).toEqual(['all', 'Over 80']);
    expect(await namesOf(ben)).toEqual(['Ben’s']);
    expect(await namesOf(elsewhere)).toEqual([]);
    const { rows } = await test.database.pool.query(
      `select action, subject_kind, subject_name from audit_entries where action like 'view.%' order by number`,
    );
    expect(rows[0]).toEqual({ action: 'view.saved', subject_kind: 'view', subject_name: 'Over 80' });
  });

  it('have names of their own, however they are spelt', async () => {
    await save(ada, 'Trucks');
    const again = await save(ada, 'trucks');
    expect([again.http, again.body.status.code]).toEqual([409, 'CB-01-0023']);
    expect((await save(ben, 'trucks')).http).toBe(200);
  });

  it('are removed by their owner alone', async () => {
    const { id: viewId } = (await save(ada, 'Trucks')).body.data;
    for (const who of [ben, elsewhere]) {
      expect((await who.call(sim.removeView, { params: { viewId } })).http).toBe(404);
    }
    expect((await ada.call(sim.removeView, { params: { viewId } })).http).toBe(200);
    expect((await ada.call(sim.removeView, { params: { viewId } })).http).toBe(404);
    expect(await namesOf(ada)).toEqual([]);
  });

  it('are so many and no more, also when they come at once', async () => {
    const max = limits.savedViews.perPerson;
    const answers = await Promise.all(
      Array.from({ length: max + 5 }, (_, index) => save(ada, `view ${index}`)),
    );
    const refused = answers.filter(({ http }) => http !== 200);
    expect(refused.map(({ body }) => body.status.code)).toEqual(Array(5).fill('CB-01-0022'));
    expect(await namesOf(ada)).toHaveLength(max);
  });

  it('drop what filters no longer know', async () => {
    const { id } = (await save(ada, 'Old')).body.data;
    await test.database.pool.query(
      `update saved_views set filter = '{"lifecycle": ["active"], "connection": ["gone"], "colour": "red"}' where id = $1`,
      [id],
    );
    expect((await ada.call(sim.listViews)).body.data).toMatchObject([
      { filter: { lifecycle: ['active'] }, outdated: true },
    ]);
  });

  it('with a key that filters do not know are refused by its name', async () => {
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
});
