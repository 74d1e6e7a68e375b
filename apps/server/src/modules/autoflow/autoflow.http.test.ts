import { createHash } from 'node:crypto';
import { endpoints, headers } from '@simcube/contract';
import { triggerKinds } from '@simcube/contract/autoflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emailOf } from '../../testing/accounts.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { upload } from '../../testing/upload.ts';
import { removeFromLists } from './scopes/lists.queries.ts';

const { autoflow: calls } = endpoints;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let other: typeof org;
let admin: TestClient;
let groupId: string;

const simOf = (facts: Parameters<typeof makeSim>[2] = {}, orgId = org.id) =>
  makeSim(test.database.pool, orgId, facts);
const usage = {
  kind: 'data-usage',
  period: 'cycle',
  threshold: { unit: '%', amount: 80 },
} as const;
const bodyOf = (more: object = {}) => ({
  name: 'Fleet over 80 %',
  trigger: usage,
  scope: { kind: 'all' as const },
  actions: [
    { kind: 'mail' as const, group_id: groupId },
    { kind: 'slow' as const, kbps: 128 as const },
  ],
  active_from: null,
  active_until: null,
  group_minutes: null,
  ...more,
});
const create = (more: object = {}) => admin.call(calls.create, { body: bodyOf(more) });
const made = async (more: object = {}) => {
  const { body } = await create(more);
  expect(body.status).toMatchObject({ success: true });
  return body.data;
};
const refused = async (more: object) => (await create(more)).body.status.code;
const digestOf = (content: string) => createHash('sha256').update(content).digest('hex');
const validated = async (
  endpoint: typeof calls.validateScopeFile | typeof calls.validateImeiFile,
  content: string | Buffer,
) => (await upload(test, admin, { endpoint, params: {}, name: 'sims.csv', content })).body;
const simsOf = async (ruleId: string) =>
  (await admin.call(calls.listSims, { params: { ruleId }, query: {} })).body.data.map(({ iccid }) => iccid);

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', org);
  const body = { name: 'Fleet desk', emails: ['desk@example.test', 'night@example.test'] };
  groupId = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.pool.query('delete from autoflow_rules');
});

describe('a rule', () => {
  it('is created, read, changed as a new version, switched and removed, and its audit entries remain', async () => {
    const rule = await made();
    expect(rule).toMatchObject({
      version: 1,
      enabled: true,
      condition: 'enabled',
      armed_at: '2026-11-21T12:00:00.000Z',
      trigger: usage,
      targets: [{ name: 'Fleet desk', addresses: 2, url: null }, null],
      last_run: null,
      fired: { total: 0 },
    });
    expect(rule.fired.days).toHaveLength(30);
    expect(rule.fired.days.at(-1)?.day).toBe('2026-11-21');
    const ruleId = rule.id;
    const edit = (version: number, more: object) =>
      admin.call(calls.update, { body: { ...bodyOf(more), ruleId, version } });
    const changed = await edit(1, { scope: { kind: 'tags', tags: ['fleet'] } });
    expect(changed.body.data).toMatchObject({ version: 2, scope: { kind: 'tags', tags: ['fleet'] } });
    expect((await edit(1, {})).body.status.code).toBe('CB-05-0012');
    expect((await edit(2, { scope: { kind: 'tags', tags: ['fleet'] } })).body.data.version).toBe(2);
    const off = await admin.call(calls.setState, { params: { ruleId, state: 'disabled' } });
    expect(off.body.data).toMatchObject({ enabled: false, condition: 'disabled', armed_at: null });
    const foreign = await signedInAs(test, 'admin', other);
    expect((await foreign.call(calls.detail, { params: { ruleId } })).http).toBe(404);
    const by = (email: string) => ({ headers: { [headers.operatorEmail]: email, scene: 'list' } });
    const remove = (email: string) => admin.call(calls.remove, { params: { ruleId } }, by(email));
    expect((await remove('someone@else.test')).body.status.code).toBe('CB-05-0013');
    expect((await remove(await emailOf(test, admin))).body.status.success).toBe(true);
    expect((await admin.call(calls.detail, { params: { ruleId } })).body.status.code).toBe('CB-05-0002');
    const records = await admin.call(calls.listChanges, { params: { ruleId }, query: {} });
    expect(records.body.data.map(({ action }) => action)).toEqual([
      'autoflow.removed',
      'autoflow.switched',
      'autoflow.changed',
      'autoflow.created',
    ]);
    expect(records.body.data[0]?.after).toEqual({ scene: 'list' });
    expect(records.body.data[2]?.after).toEqual({ scope: { kind: 'tags', tags: ['fleet'] } });
    expect((await made()).id).not.toBe(ruleId);
  });

  it('has a unique name, also with concurrent requests, and counts towards the maximum', async () => {
    const answers = await Promise.all([create(), create({ name: 'ｆleet OVER 80 %' })]);
    expect(answers.map(({ body }) => body.status.code).sort()).toEqual(['CB-00-0000', 'CB-05-0003']);
    await test.database.pool.query(
      `insert into autoflow_rules (org_id, name, kind, enabled, created_at, updated_at)
       select $1, 'rule ' || n, 'silent', false, now(), now() from generate_series(1, 49) n`,
      [org.id],
    );
    expect(await refused({ name: 'One more' })).toBe('CB-05-0004');
  });

  it('accepts no time in the past, except an unchanged one', async () => {
    expect(await refused({ active_from: '2026-11-21T11:59:59Z' })).toBe('CB-05-0005');
    expect(await refused({ active_until: '2026-11-21T11:59:59Z' })).toBe('CB-05-0005');
    const early = (await create({ active_from: '1900-01-01T00:00:00Z' })).body.status;
    expect(early.detail?.issues).toMatchObject([{ path: 'active_from', key: 'timePassed' }]);
    const times = { active_from: '2026-11-21T12:30:00Z', active_until: '2026-11-21T13:00:00Z' };
    expect(await refused({ active_from: times.active_until, active_until: times.active_from })).toBe(
      'CB-00-0400',
    );
    const { id: ruleId, condition } = await made(times);
    expect(condition).toBe('waiting');
    try {
      test.clock.set('2026-11-21T12:45:00Z');
      const body = { ...bodyOf({ ...times, name: 'Renamed' }), ruleId, version: 1 };
      expect((await admin.call(calls.update, { body })).body.data.condition).toBe('enabled');
      test.clock.set('2026-11-21T13:00:00Z');
      expect((await admin.call(calls.detail, { params: { ruleId } })).body.data.condition).toBe('ended');
      await admin.call(calls.setState, { params: { ruleId, state: 'disabled' } });
      const on = await admin.call(calls.setState, { params: { ruleId, state: 'enabled' } });
      expect(on.body.status.code).toBe('CB-05-0005');
      const renamed = { ...body, name: 'Renamed again', enabled: true, version: 2 };
      expect((await admin.call(calls.update, { body: renamed })).body.status.code).toBe('CB-05-0005');
      const off = await admin.call(calls.update, { body: { ...renamed, enabled: false } });
      expect(off.body.data.condition).toBe('disabled');
    } finally {
      test.clock.set('2026-11-21T12:00:00Z');
    }
  });

  it.each([
    { trigger: { ...usage, threshold: { unit: 'KB', amount: 1_073_741_825 } } },
    { trigger: { ...usage, threshold: { unit: 'MB', amount: 1_048_577 } } },
    { trigger: { ...usage, threshold: { unit: 'GB', amount: 1025 } } },
    { trigger: { ...usage, threshold: { unit: '%', amount: 201 } } },
    { trigger: { ...usage, threshold: { unit: 'MB', amount: 0 } } },
    { trigger: { kind: 'sms-mt', period: 'month', count: 1001 } },
    { trigger: { kind: 'sms-mo', period: 'month', count: 201 } },
    { trigger: { kind: 'lifecycle-expiry', days: 46 } },
    { trigger: { kind: 'first-use', unused_days: 0 } },
    { trigger: { kind: 'status-change', from: 'active', to: ['active'] } },
    { trigger: { ...usage, treshold: 1 } },
    { actions: [] },
    { actions: [{ kind: 'suspend' }, { kind: 'suspend' }] },
    { actions: [{ kind: 'slow', kbps: 512 }] },
    { scope: { kind: 'manual', iccids: Array.from({ length: 1001 }, (_, n) => String(10 ** 18 + n)) } },
    { name: 'a‮b' },
    { trigger: { kind: 'sms-mo', period: 'month', count: 201 } },
    { trigger: { kind: 'sms-mt', period: 'month', count: 1001 } },
    { trigger: { kind: 'cost', currency: 'euro', amount_minor: 5 } },
  ])('is refused beyond the bounds of section 5: %j', async (more) => {
    expect(await refused(more)).toBe('CB-00-0400');
  });

  it('uses only targets and templates of its own organisation', async () => {
    const foreign = await signedInAs(test, 'admin', other);
    const body = { name: 'Theirs', emails: ['theirs@example.test'] };
    const { id } = (await foreign.call(endpoints.notify.createGroup, { body })).body.data;
    expect(await refused({ actions: [{ kind: 'mail', group_id: id }] })).toBe('CB-09-0017');
    expect(await refused({ actions: [{ kind: 'sms', group_id: groupId }] })).toBe('CB-09-0017');
    const actions = [{ kind: 'mail', group_id: groupId, template_id: '999999' }];
    expect(await refused({ actions })).toBe('CB-05-0008');
  });

  it('needs the write permission, which the refusal names', async () => {
    const reader = await signedInAs(test, 'operator', org);
    const { http, body } = await reader.call(calls.create, { body: bodyOf() });
    expect([http, body.status.code]).toEqual([400, 'CB-05-0001']);
    expect(body.status.message).toContain('autoflow-cube');
    expect(body.status.message).toContain('You do not have this permission, please contact your admin!');
  });
});

describe('SIMs of a rule', () => {
  it('follow tags, stay a list if ICCIDs were typed, and are removed on transfer', async () => {
    const [fleet, plain] = [await simOf({ tags: ['fleet'] }), await simOf()];
    const byTag = await made({ name: 'By tag', scope: { kind: 'tags', tags: ['fleet', 'eu'] } });
    expect([byTag.sims, await simsOf(byTag.id)]).toEqual([1, [fleet.iccid]]);
    await test.database.pool.query(`update sims set tags = '{eu}' where id = $1`, [plain.id]);
    expect(await simsOf(byTag.id)).toEqual([fleet.iccid, plain.iccid]);
    const iccids = [plain.iccid, fleet.iccid];
    const listed = await made({ name: 'Listed', scope: { kind: 'manual', iccids } });
    expect(listed).toMatchObject({ sims: 2, iccids: [fleet.iccid, plain.iccid] });
    const url = calls.downloadSims.path.replace('{ruleId}', listed.id);
    const file = await test.app.inject({ method: 'GET', url, headers: admin.headers });
    expect(file.body.trim().split('\r\n')).toHaveLength(3);
    expect(file.body).toContain(plain.iccid);
    const { pool } = test.database;
    await pool.query('update sims set org_id = $2 where id = $1', [plain.id, other.id]);
    await removeFromLists(pool, { simIds: [plain.id], orgId: other.id, at: test.clock.now() });
    await pool.query('update sims set org_id = $2 where id = $1', [plain.id, org.id]);
    expect(await simsOf(listed.id)).toEqual([fleet.iccid]);
  });

  it('are refused if they are invalid, duplicate, or belong to another organisation', async () => {
    const [own, foreign] = [await simOf(), await simOf({}, other.id)];
    const typed = (...iccids: string[]) => ({ scope: { kind: 'manual', iccids } as const });
    expect(await refused(typed('not one'))).toBe('CB-01-0021');
    expect(await refused(typed(own.iccid, own.iccid))).toBe('CB-01-0020');
    expect(await refused(typed(foreign.iccid))).toBe('CB-01-0012');
    const body = typed(own.iccid, 'not one', own.iccid, foreign.iccid);
    const { data } = (await admin.call(calls.validateScope, { body })).body;
    expect(data).toMatchObject({ sims: 1, wrong_rows: 3 });
    expect(data.errors.map(({ row, code }) => [row, code])).toEqual([
      [2, 'CB-01-0021'],
      [3, 'CB-01-0020'],
      [4, 'CB-01-0012'],
    ]);
  });
});

describe('a file of a rule', () => {
  it('is stored when validated, and used once unless it was modified', async () => {
    const sim = await simOf();
    const content = `ICCID\r\n${sim.iccid}\r\n`;
    const { data } = await validated(calls.validateScopeFile, content);
    expect(data).toMatchObject({ sims: 1, rows: 1, wrong_rows: 0, digest: digestOf(content) });
    const scopeOf = (digest: string) => ({
      scope: { kind: 'uploaded', file: { upload_id: data.upload_id, digest } },
    });
    expect(await refused(scopeOf(digestOf('another')))).toBe('CB-05-0006');
    const rule = await made(scopeOf(data.digest));
    expect(rule).toMatchObject({ sims: 1, scope_list: { name: 'sims.csv', rows: 1, digest: data.digest } });
    expect(await refused({ name: 'Again', ...scopeOf(data.digest) })).toBe('CB-09-0009');
    const { scope, id: ruleId } = rule;
    const kept = { kind: 'uploaded', file: { list_id: 'list_id' in scope ? scope.list_id : '' } } as const;
    const edit = (more: object) =>
      admin.call(calls.update, { body: { ...bodyOf(more), ruleId, version: 1 } });
    expect((await edit({ scope: { ...kept, file: { list_id: '1' } } })).body.status.code).toBe('CB-05-0006');
    expect((await edit({ name: 'Kept', scope: kept })).body.data.scope).toEqual(scope);
  });

  it('is refused as a whole, with errors by row', async () => {
    const [own, foreign] = [await simOf(), await simOf({}, other.id)];
    const imei = '356938035643809';
    const rows = [
      `${own.iccid},${imei}`,
      `${own.iccid},12`,
      `${foreign.iccid},${imei}`,
      `${own.iccid},${imei}`,
    ];
    const { data } = await validated(calls.validateImeiFile, `ICCID,IMEI\n${rows.join('\n')}\n`);
    expect(data).toMatchObject({ upload_id: null, rows: 4, wrong_rows: 3 });
    expect(data.errors.map(({ row, column, code }) => [row, column, code])).toEqual([
      [3, 'IMEI', 'CB-05-0007'],
      [4, 'ICCID', 'CB-01-0012'],
      [5, 'ICCID', 'CB-01-0020'],
    ]);
  });

  it('needs a heading, and has at most 10,000 rows; Windows-1252 is read', async () => {
    const sim = await simOf();
    const code = async (content: string | Buffer) =>
      (await validated(calls.validateScopeFile, content)).status.code;
    for (const rows of [1, 2]) expect(await code(`${sim.iccid}\n`.repeat(rows))).toBe('CB-09-0038');
    const many = Array.from({ length: 10_001 }, (_, n) => String(10 ** 18 + n)).join('\n');
    expect(await code(`ICCID\n${many}\n`)).toBe('CB-09-0005');
    expect(await code(Buffer.from(`ICCID;Año\n${sim.iccid};é\n`, 'latin1'))).toBe('CB-00-0000');
  });

  it('of IMEIs lists those allowed in each SIM', async () => {
    const sim = await simOf();
    const { data } = await validated(
      calls.validateImeiFile,
      `ICCID,IMEI\n${sim.iccid},356938035643809\n${sim.iccid},49015420323751\n`,
    );
    const file = { upload_id: data.upload_id, digest: data.digest };
    const scope = { kind: 'manual', iccids: [sim.iccid] };
    const rule = await made({ scope, trigger: { kind: 'imei-change', to: 'unlisted', file } });
    expect(rule.imei_list).toMatchObject({ rows: 2 });
    const { body } = await admin.call(calls.listSims, { params: { ruleId: rule.id }, query: {} });
    expect(body.data[0]?.imeis).toEqual(['356938035643809', '49015420323751']);
  });
});

describe('the run history', () => {
  it('shows firings with their actions, by rule, SIM and state, for 30 days', async () => {
    const sim = await simOf();
    const rule = await made();
    const { pool } = test.database;
    const fire = async (key: string, at: string, state: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, state, kept_until)
         values ($1, $2, 1, $3, $4, $5, $5, $6, $7, '2027-12-01') returning id`,
        [org.id, rule.id, sim.id, key, at, { value: 9, threshold: 8, unit: 'octets', since: null }, state],
      );
      await pool.query(
        `insert into autoflow_firing_actions (firing_id, position, kind, state, code, ended_at)
         values ($1, 0, 'mail', 1, null, $2), ($1, 1, 'slow', $3, 'CB-01-0009', $2)`,
        [rows[0]?.id, at, state],
      );
    };
    await fire('old', '2026-10-21T12:00:00Z', 1);
    await fire('first', '2026-11-20T12:00:00Z', 1);
    await fire('second', '2026-11-21T11:00:00Z', 2);
    await pool.query(
      `insert into autoflow_rule_days values ($1, '2026-10-22', 5, 5, 0), ($1, '2026-11-21', 7, 14, 3)`,
      [rule.id],
    );
    const params = { ruleId: rule.id };
    const runs = async (query: object) =>
      (await admin.call(calls.listRuns, { params, query })).body.data.map(({ at }) => at);
    expect(await runs({})).toEqual(['2026-11-21T11:00:00.000Z', '2026-11-20T12:00:00.000Z']);
    expect(await runs({ state: 'done' })).toHaveLength(1);
    expect(await runs({ iccid: (await simOf()).iccid })).toEqual([]);
    const all = await admin.call(calls.listAllRuns, { query: { state: 'failed' } });
    expect(all.body.data[0]).toMatchObject({
      rule: { id: rule.id, name: 'Fleet over 80 %' },
      iccid: sim.iccid,
      state: 'failed',
      actions: [
        { kind: 'mail', state: 'done', code: null },
        { kind: 'slow', state: 'failed', code: 'CB-01-0009' },
      ],
    });
    const [listed] = (await admin.call(calls.list, { query: { condition: 'failing' } })).body.data;
    expect(listed).toMatchObject({
      condition: 'failing',
      fired: { total: 7 },
      last_run: { state: 'failed', actions: 2, failed: 1 },
    });
    expect((await admin.call(calls.count)).body.data).toEqual({ rules: 1, maximum: 50 });
    const counts = { rules: 1, enabled: 1, disabled: 0, failing: 1, firings: 7, actions: 14, failed: 3 };
    expect((await admin.call(calls.summary, {})).body.data).toEqual(counts);
    await pool.query(
      `with told as (insert into notifications (org_id, kind, fields, created_at) values ($1, 'autoflow.fired', '{}', now()) returning id),
       going as (insert into deliveries (notification_id, org_id, channel, lane, address, language, state, created_at)
         select id, $1, 'api', 9, 'https://a.example', 'en-US', 2, now() from told)
       update autoflow_firing_actions set state = 1, code = null, notification_id = (select id from told)`,
      [org.id],
    );
    await pool.query('update autoflow_firings set state = 1');
    // A notification that was handed over and given up counts as failed wherever runs are listed, filtered or
    // counted.
    const found = async () =>
      Promise.all(['failed', 'waiting', 'done'].map(async (state) => (await runs({ state })).length));
    const stands = async () => {
      const { data } = (await admin.call(calls.listRuns, { params, query: {} })).body;
      const [listed] = (await admin.call(calls.list, {})).body.data;
      const { failing, failed } = (await admin.call(calls.summary, {})).body.data;
      return {
        run: [data[0]?.state, data[0]?.actions[0]?.state, data[0]?.actions[0]?.delivery],
        rule: [listed?.condition, listed?.last_run?.state, listed?.last_run?.failed],
        counts: [failing, failed],
      };
    };
    expect(await found()).toEqual([2, 0, 0]);
    expect(await stands()).toEqual({
      run: ['failed', 'done', 'failed'],
      rule: ['failing', 'failed', 2],
      counts: [1, 3 + 4],
    });
    await pool.query('update deliveries set state = 0, due_at = now()');
    expect(await found()).toEqual([0, 2, 0]);
    expect(await stands()).toEqual({
      run: ['waiting', 'done', 'waiting'],
      rule: ['enabled', 'waiting', 0],
      counts: [0, 3],
    });
    await pool.query('update deliveries set state = 1, due_at = null');
    expect(await found()).toEqual([0, 0, 2]);
    expect(await stands()).toMatchObject({
      run: ['done', 'done', 'delivered'],
      rule: ['enabled', 'done', 0],
    });
    const foreign = await signedInAs(test, 'admin', other);
    expect((await foreign.call(calls.listRuns, { params, query: {} })).body.status.code).toBe('CB-05-0002');
    expect((await foreign.call(calls.listAllRuns, { query: { ruleId: rule.id } })).body.data).toEqual([]);
  });
});

it('forms get triggers with their bounds, and countries in the caller’s language', async () => {
  const all = (await admin.call(calls.triggers, { params: { trigger: 'all' } })).body.data;
  expect(all.map(({ kind }) => kind)).toEqual(triggerKinds);
  const imei = (await admin.call(calls.triggers, { params: { trigger: 'imei-change' } })).body.data;
  expect(imei).toMatchObject([{ number: 14, name: 'IMEI change' }]);
  const countries = (await admin.call(calls.countries, {})).body.data;
  expect(countries.length).toBeGreaterThan(240);
  expect(countries).toContainEqual({ code: 'TW', name: 'Taiwan' });
  expect(countries.map(({ code }) => code)).not.toContain('EU');
});
