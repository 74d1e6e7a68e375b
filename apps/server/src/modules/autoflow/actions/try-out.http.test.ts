import { endpoints, limits } from '@simcube/contract';
import { notificationRequests } from '@simcube/contract/notify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
let other: typeof org;
let admin: TestClient;
let groupId: string;

const simOf = (facts: Parameters<typeof makeSim>[2] = {}, orgId = org.id) =>
  makeSim(test.database.pool, orgId, facts);
const usage = { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 80 } } as const;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', org);
  const body = { name: 'Fleet desk', emails: ['desk@example.test', 'night@example.test'] };
  groupId = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
});
afterAll(() => test.close());

describe('trying a rule out', () => {
  const words = { subject: '{{rule}}', text: '{{device_name}}', sms: '{{iccid}}' };
  const tried = (iccid: string, more: object = {}) => ({ name: 'Trial', event: usage, iccid, ...more });

  it('previews the notification for a SIM, from its template or the product’s text', async () => {
    const { iccid } = await simOf({ deviceName: 'Truck 7' });
    const ask = async (more: object = {}) =>
      (await admin.call(calls.tryBody, { body: tried(iccid, more) })).body.data;
    const plain = await ask();
    expect(plain.messages.map(({ language }) => language)).toEqual(['en-US', 'zh-CN', 'zh-TW', 'es-ES']);
    expect(plain.messages[0]?.text).toContain(iccid);
    expect(plain.request).toMatchObject({ type: 'autoflow.tried', data: { rule: 'Trial', iccid } });
    expect(notificationRequests['autoflow.tried'].request.parse(plain.request)).toEqual(plain.request);
    const own = await ask({ texts: { 'es-ES': words } });
    expect(own.messages.map(({ text }) => text)).toEqual(Array(4).fill('Truck 7'));
  });

  it('compares what the rule would: the usage of its period, and a share of the limit as the engine rounds it', async () => {
    const { id, iccid } = await simOf();
    const today = test.clock.now().toISOString().slice(0, 10);
    await test.database.pool.query(
      `update sim_live set used_bytes = 5000, limit_bytes = 9999, cycle_started_at = $2::timestamptz - interval '5 days',
         cycle_ends_at = $2::timestamptz + interval '5 days' where sim_id = $1`,
      [id, today],
    );
    await test.database.pool.query(
      `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records) values ($1, $2, 21407, 6, 30, 12, 1)`,
      [id, today],
    );
    const measured = async (period: 'cycle' | 'day' | 'month', unit: 'KB' | '%') => {
      const event = { kind: 'data-usage', period, threshold: { unit, amount: 80 } } as const;
      const { data } = (await admin.call(calls.tryBody, { body: tried(iccid, { event }) })).body;
      const { value, threshold, since } = data.request.data.firings[0] ?? {};
      return [value, threshold, since];
    };
    expect(await measured('day', 'KB')).toEqual([42, 80 * 1024, `${today}T00:00:00.000Z`]);
    expect(await measured('month', 'KB')).toEqual([42, 80 * 1024, `${today.slice(0, 7)}-01T00:00:00.000Z`]);
    expect((await measured('cycle', '%')).slice(0, 2)).toEqual([5000, 8000]);
  });

  it('is sent once, not as a firing, up to a limit for each hour', async () => {
    const { iccid } = await simOf();
    const send = () => admin.call(calls.trySend, { body: { ...tried(iccid), group_id: groupId } });
    const codes = [];
    for (let n = 0; n <= limits.notifications.tests; n += 1) codes.push((await send()).body.status.code);
    expect(codes.filter((code) => code === 'CB-00-0000')).toHaveLength(limits.notifications.tests);
    expect(codes.at(-1)).toBe('CB-09-0029');
    const { rows } = await test.database.pool.query(
      `select n.kind, count(distinct n.id)::int as sent, count(*)::int as deliveries
       from notifications n join deliveries d on d.notification_id = n.id group by 1`,
    );
    expect(rows).toEqual([
      {
        kind: 'autoflow.tried',
        sent: limits.notifications.tests,
        deliveries: 2 * limits.notifications.tests,
      },
    ]);
  });

  it('is limited for each hour and organisation, across all targets', async () => {
    const { iccid } = await simOf();
    const codes = [];
    for (let n = 0; n <= limits.autoflow.tryOuts; n += 1) {
      const body = { name: `Desk ${n}`, emails: ['desk@example.test'] };
      const group_id = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
      codes.push((await admin.call(calls.trySend, { body: { ...tried(iccid), group_id } })).body.status.code);
    }
    expect(codes.at(-1)).toBe('CB-09-0034');
  });

  it('accepts only SIMs, targets and templates of the own organisation', async () => {
    const theirs = await simOf({}, other.id);
    const { iccid } = await simOf();
    const codeOf = async (sim: string, more: object = {}) =>
      (await admin.call(calls.tryBody, { body: tried(sim, more) })).body.status.code;
    expect(await codeOf(theirs.iccid)).toBe('CB-01-0012');
    expect(await codeOf(iccid, { template_id: '999999' })).toBe('CB-05-0008');
    expect(await codeOf(iccid, { texts: { 'en-US': { ...words, text: '{{password}}' } } })).toBe(
      'CB-00-0400',
    );
  });
});

describe('a notification template', () => {
  it('has a unique name and only known fields, and is not deleted while a rule uses it', async () => {
    const text = { subject: '{{rule}}', text: '{{iccid}} reached {{value}}', sms: '{{iccid}}' };
    const save = (name: string, subject = text.subject) =>
      admin.call(calls.createTemplate, { body: { name, texts: { 'en-US': { ...text, subject } } } });
    const { id: templateId } = (await save('Plain')).body.data;
    expect((await save('PLAIN')).body.status.code).toBe('CB-05-0009');
    const wrong = (await save('Wrong', '{{password}}')).body.status;
    expect(wrong.detail?.issues?.[0]).toMatchObject({ path: 'texts.en-US.subject', key: 'templateField' });
    const actions = [{ kind: 'mail' as const, group_id: groupId, template_id: templateId }];
    const rule = { name: 'Words', trigger: usage, scope: { kind: 'all' as const }, actions };
    const rest = { active_from: null, active_until: null, group_minutes: null };
    const { id: ruleId } = (await admin.call(calls.create, { body: { ...rule, ...rest } })).body.data;
    const [listed] = (await admin.call(calls.listTemplates, { query: {} })).body.data;
    expect(listed).toMatchObject({ id: templateId, rules: 1 });
    const remove = async () =>
      (await admin.call(calls.removeTemplate, { params: { templateId } })).body.status.code;
    expect(await remove()).toBe('CB-05-0011');
    await admin.call(calls.remove, { params: { ruleId } });
    expect(await remove()).toBe('CB-00-0000');
  });
});
