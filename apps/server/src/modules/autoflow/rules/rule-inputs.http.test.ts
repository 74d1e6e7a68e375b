import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';

const { autoflow: calls } = endpoints;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

const bodyOf = (more: object = {}) => ({
  name: 'A rule',
  trigger: { kind: 'silent' as const, hours: 5 },
  scope: { kind: 'all' as const },
  actions: [{ kind: 'slow' as const, kbps: 128 as const }],
  active_from: null,
  active_until: null,
  group_minutes: null,
  ...more,
});
const create = async (more: object = {}) => (await admin.call(calls.create, { body: bodyOf(more) })).body;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', org);
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.pool.query('delete from autoflow_rules');
});

describe('tags of a rule', () => {
  it('match the tags of SIMs in any spelling, as in the list of SIMs', async () => {
    const { pool } = test.database;
    const tagged = [
      await makeSim(pool, org.id, { tags: ['Fleet'] }),
      await makeSim(pool, org.id, { tags: ['ＦＬＥＥＴ'] }),
    ].map(({ iccid }) => iccid);
    for (const tags of [['fleet'], ['fleet', 'eu']]) {
      const { data } = await create({ name: tags.join(' '), scope: { kind: 'tags', tags } });
      expect(data.sims).toBe(2);
      const sims = await admin.call(calls.listSims, { params: { ruleId: data.id }, query: {} });
      expect(new Set(sims.body.data.map(({ iccid }) => iccid))).toEqual(new Set(tagged));
      const why = await admin.call(calls.why, {
        params: { ruleId: data.id },
        query: { iccid: tagged[0] ?? '' },
      });
      expect(why.body.data.comparisons.find(({ check }) => check === 'in-scope')?.met).toBe(true);
    }
  });

  it('are listed once each', async () => {
    const { status } = await create({ scope: { kind: 'tags', tags: ['fleet', 'FLEET'] } });
    expect(status.detail?.issues).toMatchObject([{ path: 'scope.tags.1', key: 'duplicate' }]);
  });
});

describe('the SIMs of a rule', () => {
  it('are found by a part of their names as in the list of SIMs, ignoring width and case', async () => {
    const { iccid } = await makeSim(test.database.pool, org.id, { deviceName: 'Ｍeter Straße 5' });
    const { data } = await create();
    for (const search of ['Straße', 'STRASSE', 'meter', 'ＭＥＴＥＲ']) {
      const found = await admin.call(calls.listSims, { params: { ruleId: data.id }, query: { search } });
      expect([search, found.body.data.map((sim) => sim.iccid)]).toEqual([search, [iccid]]);
    }
  });
});

describe('a trigger that would never fire', () => {
  it.each([
    [{ kind: 'country', change: 'entered', countries: ['ES', 'UK'] }, 'trigger.countries.1'],
    [{ kind: 'country', change: 'left', countries: ['ZZ'] }, 'trigger.countries.0'],
    [{ kind: 'cost', currency: 'EUE', amount_minor: 5 }, 'trigger.currency'],
  ])('is refused: %j', async (trigger, path) => {
    const issues = [{ path, key: 'notAllowed' }];
    const { status } = await create({ trigger });
    expect([status.code, status.detail?.issues]).toMatchObject(['CB-00-0400', issues]);
    const { data } = await create();
    const body = { ...bodyOf({ trigger }), ruleId: data.id, version: 1 };
    expect((await admin.call(calls.update, { body } as never)).body.status.detail?.issues).toMatchObject(
      issues,
    );
    const replay = await admin.call(calls.replay, { body: { trigger } } as never);
    expect(replay.body.status.success).toBe(false);
  });
});

describe('a run of a rule that was changed since', () => {
  it('is listed with the trigger that fired', async () => {
    const { pool } = test.database;
    const sim = await makeSim(pool, org.id, {});
    const { data } = await create();
    await pool.query(
      `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, state, kept_until)
       values ($1, $2, 1, $3, 'k', $4, $4, '{"value": 5, "threshold": 5, "unit": "hours", "since": null}', 1, '2027-12-01')`,
      [org.id, data.id, sim.id, test.clock.now()],
    );
    const trigger = { kind: 'sms-mt', period: 'day', count: 3 };
    const body = { ...bodyOf({ trigger }), ruleId: data.id, version: 1 };
    expect((await admin.call(calls.update, { body } as never)).body.status.success).toBe(true);
    const runs = await admin.call(calls.listRuns, { params: { ruleId: data.id }, query: {} });
    expect(runs.body.data).toMatchObject([{ trigger: 'silent', rule: { version: 1 } }]);
  });
});

describe('a target and a template of a rule', () => {
  it('are in use however their ids were written, and each target is named once', async () => {
    const { createGroup, removeTarget } = endpoints.notify;
    const group = { name: 'Ops', emails: ['ops@example.test'] };
    const { id: groupId } = (await admin.call(createGroup, { body: group })).body.data;
    const texts = { 'en-US': { subject: 'S', text: 'T', sms: 'M' } };
    const template = await admin.call(calls.createTemplate, { body: { name: 'Words', texts } });
    const { id: templateId } = template.body.data;
    const mail = { kind: 'mail', group_id: `00${groupId}`, template_id: `0${templateId}` };
    const { data } = await create({ actions: [mail] });
    expect([data.actions, data.targets]).toMatchObject([
      [{ group_id: groupId, template_id: templateId }],
      [{ name: 'Ops' }],
    ]);
    const removed = await admin.call(removeTarget, { params: { groupId } });
    expect(removed.body.status.code).toBe('CB-09-0033');
    const gone = await admin.call(calls.removeTemplate, { params: { templateId } });
    expect(gone.body.status.code).toBe('CB-05-0011');
    const { status } = await create({ name: 'Twice', actions: [mail, { ...mail, group_id: groupId }] });
    expect(status.detail?.issues).toMatchObject([{ path: 'actions.1', key: 'duplicate' }]);
  });
});

describe('a notification template', () => {
  it('that is saved unchanged leaves no audit entry; renaming records only the name', async () => {
    const texts = { 'en-US': { subject: 'S', text: 'T', sms: 'M' } };
    const made = await admin.call(calls.createTemplate, { body: { name: 'First', texts } });
    const templateId = made.body.data.id;
    const records = async () =>
      (
        await test.database.pool.query<{ after: object }>(
          `select after from audit_entries where subject_kind = 'autoflow-template' and subject_id = $1 order by number`,
          [templateId],
        )
      ).rows.slice(1);
    await admin.call(calls.updateTemplate, { body: { templateId, name: 'First', texts } });
    expect(await records()).toEqual([]);
    await admin.call(calls.updateTemplate, { body: { templateId, name: 'Second', texts } });
    expect(await records()).toEqual([{ after: { name: 'Second' } }]);
  });
});
