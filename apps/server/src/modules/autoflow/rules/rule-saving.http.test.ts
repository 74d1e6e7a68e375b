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
import { upload } from '../../../testing/upload.ts';

const { autoflow: calls } = endpoints;
const url = 'https://hooks.example.test/simcube';

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;
let colleague: TestClient;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', org);
  colleague = await signedInAs(test, 'admin', org);
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('delete from autoflow_rules'));

const definition = {
  name: 'Silent cameras',
  trigger: { kind: 'silent' as const, hours: 5 },
  scope: { kind: 'all' as const },
  actions: [{ kind: 'suspend' as const }],
  active_from: null,
  active_until: null,
  group_minutes: null,
};
const create = async (more: object = {}) =>
  (await admin.call(calls.create, { body: { ...definition, ...more } })).body.data;
const update = async (client: TestClient, rule: { id: string; version: number }, more: object = {}) =>
  (
    await client.call(calls.update, {
      body: { ...definition, ...more, ruleId: rule.id, version: rule.version },
    })
  ).body;
const ownerOf = async (id: string) =>
  (await test.database.pool.query('select owner_id from autoflow_rules where id = $1', [id])).rows[0]
    ?.owner_id;
const changesOf = async (ruleId: string) =>
  (await admin.call(calls.listChanges, { params: { ruleId }, query: {} })).body.data;

describe('saving a rule', () => {
  it('leaves its state as another person set it in the meantime, unless the state is named', async () => {
    const rule = await create();
    await colleague.call(calls.setState, { params: { ruleId: rule.id, state: 'disabled' } });
    const renamed = await update(admin, rule, { name: 'Silent' });
    expect(renamed.data).toMatchObject({ name: 'Silent', version: 2, enabled: false, armed_at: null });
    const enabled = await update(admin, renamed.data, { name: 'Silent', enabled: true });
    expect(enabled.data).toMatchObject({ version: 3, enabled: true });
  });

  it('makes the person its owner, also without a change; disabling it does not', async () => {
    const rule = await create();
    await colleague.call(calls.setState, { params: { ruleId: rule.id, state: 'disabled' } });
    expect(await ownerOf(rule.id)).toBe(admin.userId);
    const saved = await update(colleague, rule);
    expect(saved.data).toMatchObject({ version: 1, updated_at: rule.updated_at });
    expect(await ownerOf(rule.id)).toBe(colleague.userId);
    const [change] = await changesOf(rule.id);
    expect(change).toMatchObject({ action: 'autoflow.changed' });
    expect([change?.before, change?.after].map((values) => Object.keys(values ?? {}))).toEqual([
      ['owner'],
      ['owner'],
    ]);
    await admin.call(calls.setState, { params: { ruleId: rule.id, state: 'enabled' } });
    expect(await ownerOf(rule.id)).toBe(admin.userId);
  });

  it('leaves no entry if the owner saves it without a change', async () => {
    const rule = await create();
    await update(admin, rule);
    expect(await changesOf(rule.id)).toHaveLength(1);
  });
});

describe('the API targets of a rule', () => {
  it('have their URL only for people who may read targets', async () => {
    const body = { name: 'Fleet', url };
    const { target } = (await admin.call(endpoints.notify.createApiTarget, { body })).body.data;
    const reader = await signedInAs(test, 'user', org);
    await test.database.pool.query(
      `update memberships set permission_changes = '{"autoflow-cube": ["all"]}' where user_id = $1`,
      [reader.userId],
    );
    const actions = [{ kind: 'api', group_id: target.id }];
    const rule = await create({ actions });
    const params = { ruleId: rule.id };
    const responses = async (client: TestClient) => [
      (await client.call(calls.list, { query: {} })).body.data[0]?.targets,
      (await client.call(calls.detail, { params })).body.data.targets,
      (await update(client, rule, { actions })).data.targets,
      (await client.call(calls.setState, { params: { ...params, state: 'enabled' } })).body.data.targets,
    ];
    expect(await responses(reader)).toEqual(Array(4).fill([{ name: 'Fleet', addresses: 1, url: null }]));
    expect(await responses(admin)).toEqual(Array(4).fill([{ name: 'Fleet', addresses: 1, url }]));
    const own = { ...definition, name: 'Own', actions: actions as never };
    const created = (await reader.call(calls.create, { body: own })).body.data;
    expect(created.targets).toEqual([{ name: 'Fleet', addresses: 1, url: null }]);
  });
});

describe('a file of a rule', () => {
  it.each([calls.validateScopeFile, calls.validateImeiFile])(
    'can be replaced by another: $id',
    async (endpoint) => {
      const content = 'ICCID,IMEI\n8988303000000000001,490154203237518\n';
      const send = async (query: Record<string, string>) =>
        (await upload(test, admin, { endpoint, params: {}, query, name: 'sims.csv', content })).body;
      const first = await send({});
      expect(first.data.upload_id).toBeNull();
      expect(first.status.code).toBe('CB-00-0000');
      expect((await send({ replaces: '8f0d7c2a-9f37-4f8e-9a51-3f2f0c3c2f10' })).status.code).toBe(
        'CB-00-0000',
      );
    },
  );

  it.each([
    [calls.validateScopeFile, 'scope', { kind: 'uploaded' }],
    [calls.validateImeiFile, 'trigger', { kind: 'imei-change', to: 'unlisted' }],
  ] as const)(
    'of a SIM that was transferred since is refused at its part: $1',
    async (endpoint, part, rest) => {
      const { pool } = test.database;
      const sim = await makeSim(pool, org.id);
      const other = await makeOrganisation(test, { code: `other-${part}` });
      const content = `ICCID,IMEI\n${sim.iccid},490154203237518\n`;
      const { upload_id, digest } = (
        await upload(test, admin, { endpoint, params: {}, name: 'sims.csv', content })
      ).body.data;
      await pool.query('update sims set org_id = $2 where id = $1', [sim.id, other.id]);
      const body = { ...definition, [part]: { ...rest, file: { upload_id, digest } } } as never;
      const { status } = (await admin.call(calls.create, { body })).body;
      expect(status).toMatchObject({ code: 'CB-01-0012', detail: { issues: [{ path: `${part}.file` }] } });
    },
  );
});
