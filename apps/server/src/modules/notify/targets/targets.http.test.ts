import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';

const calls = endpoints.notify;
let test: TestApp;
let admin: TestClient;
let user: TestClient;
let stranger: TestClient;
let own: Awaited<ReturnType<typeof makeOrganisation>>;

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);
const make = (name: string, emails = ['ops@example.test'], client = admin) =>
  client.call(calls.createGroup, { body: { name, emails } });
const makePhones = (name: string, phones: string[]) =>
  admin.call(calls.createSmsGroup, { body: { name, phones } });

beforeAll(async () => {
  test = await testApp();
  own = await makeOrganisation(test, { code: 'own' });
  admin = await signedInAs(test, 'admin', own);
  user = await signedInAs(test, 'user', own);
  stranger = await signedInAs(test, 'superadmin', await makeOrganisation(test, { code: 'foreign' }));
});
afterAll(() => test.close());
beforeEach(() => query('truncate notification_targets, notifications, sms_services cascade'));

describe('an address group', () => {
  it('is created and listed by name, in its organisation only', async () => {
    expect((await make('Night shift', ['B@Example.test ', 'a@example.test'])).body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      version: 1,
      name: 'Night shift',
      emails: ['b@example.test', 'a@example.test'],
      created_at: '2026-11-21T12:00:00.000Z',
      last_delivery: null,
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
    expect((await query('select from notification_targets')).rowCount).toBe(0);
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
      `insert into notification_targets (org_id, kind, name, addresses)
       select $1, 'email', 'g' || n, '{a@example.test}' from generate_series(1, $2) n`,
      [admin.orgId, limits.addressGroups.perOrganisation - 1],
    );
    const answers = await Promise.all([make('one'), make('two')]);
    const codes = answers.map(({ body }) => body.status.code).toSorted((a, b) => a.localeCompare(b));
    expect(codes).toEqual(['CB-00-0000', 'CB-09-0018']);
    expect((await make('three')).body.status.message).toBe(
      'An organisation can have at most 100 notification targets of each kind.',
    );
  });

  it('is changed with an entry in the audit trail, and without one when nothing changes', async () => {
    const { id } = (await make('Shift')).body.data;
    const body = { groupId: id, name: 'Shift', emails: ['new@example.test'] };
    const changed = await admin.call(calls.updateGroup, { body });
    expect(changed.body.data).toMatchObject({ id, emails: ['new@example.test'] });
    expect((await admin.call(calls.updateGroup, { body })).http).toBe(200);
    const { rows } = await query(
      `select split_part(action, '.', 2) as done, before, after from audit_entries where subject_id = $1
       order by number`,
      [id],
    );
    expect(rows).toEqual([
      { done: 'created', before: null, after: { name: 'Shift', emails: ['ops@example.test'] } },
      { done: 'changed', before: { emails: ['ops@example.test'] }, after: { emails: ['new@example.test'] } },
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

  it.each([
    [['+4915112345678']],
    [['004915112345678']],
    [['015112345678']],
    [['49-151']],
    [['85212345678', '85212345678']],
    [[]],
  ])('is refused with %j', async (phones) => {
    expect((await makePhones('Calls', phones)).body.status.code).toBe('CB-00-0400');
  });
});

describe('an API target', () => {
  const url = 'https://hooks.example.test/simcube?team=1';
  const makeApi = (name = 'Hook', client = admin) =>
    client.call(calls.createApiTarget, { body: { name, url } });

  it('is created with a secret that is shown this once and stored sealed', async () => {
    const { target, secret } = (await makeApi()).body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(target).toEqual({
      id: expect.stringMatching(/^\d+$/),
      version: 1,
      name: 'Hook',
      url,
      state: 'active',
      paused_for: null,
      secret_created_at: '2026-11-21T12:00:00.000Z',
      former_secret_until: null,
      created_at: '2026-11-21T12:00:00.000Z',
      last_delivery: null,
    });
    const { body } = await admin.call(calls.listApiTargets);
    expect([body.data, body.total_count]).toEqual([[target], 1]);
    const { rows } = await query('select sealed from target_secrets');
    expect(rows.map(({ sealed }) => test.vault.open(sealed))).toEqual([secret]);
    const { rows: entries } = await query(
      `select after from audit_entries where action = 'api-target.created' and subject_id = $1`,
      [target.id],
    );
    expect(entries).toEqual([{ after: { name: 'Hook', url } }]);
  });

  it.each([
    'http://hooks.example.test/',
    'hooks.example.test',
    'https://ana:secret@hooks.example.test/',
    'https://hooks.example.test/#part',
    'https://',
    `https://hooks.example.test/${'x'.repeat(limits.notifications.url)}`,
  ])('is refused with the URL %j', async (wrong) => {
    const { body } = await admin.call(calls.createApiTarget, { body: { name: 'Hook', url: wrong } });
    expect([body.status.code, body.status.detail?.issues?.[0]?.path]).toEqual(['CB-00-0400', 'url']);
  });

  it('has two secrets for a day after one was renewed, and never three', async () => {
    const made = (await makeApi()).body.data;
    const groupId = made.target.id;
    const renew = async () => (await admin.call(calls.renewSecret, { params: { groupId } })).body.data;
    const second = await renew();
    expect(second.secret).not.toBe(made.secret);
    expect(second.target.former_secret_until).toBe('2026-11-22T12:00:00.000Z');
    const third = await renew();
    const { rows } = await query('select sealed from target_secrets order by id');
    expect(rows.map(({ sealed }) => test.vault.open(sealed))).toEqual([second.secret, third.secret]);
  });

  it('that is paused is not tested until it is resumed', async () => {
    const groupId = (await makeApi()).body.data.target.id;
    await query(`update notification_targets set paused_at = now(), paused_for = 'gone' where id = $1`, [
      groupId,
    ]);
    const tried = await admin.call(calls.tryTarget, { params: { groupId } });
    expect(tried.body.status.code).toBe('CB-09-0027');
    const resumed = await admin.call(calls.resumeTarget, { params: { groupId } });
    expect(resumed.body.data).toMatchObject({ state: 'active', paused_for: null });
    expect((await admin.call(calls.tryTarget, { params: { groupId } })).http).toBe(200);
  });
});

describe('a target', () => {
  it('is removed with its deliveries, by its organisation only', async () => {
    const { id: groupId } = (await make('Shift')).body.data;
    await admin.call(calls.tryTarget, { params: { groupId } });
    const foreign = await stranger.call(calls.removeTarget, { params: { groupId } });
    expect([foreign.http, foreign.body.status.code]).toEqual([404, 'CB-09-0017']);
    expect((await admin.call(calls.removeTarget, { params: { groupId } })).http).toBe(200);
    expect((await admin.call(calls.listGroups)).body.total_count).toBe(0);
    expect((await query('select from deliveries')).rowCount).toBe(0);
  });

  it('that is in use is not removed; the refusal names its uses in the reader’s language', async () => {
    const { autoflow, report, schedule, sms } = endpoints;
    const { id: groupId } = (await make('Shift')).body.data;
    const { id: spare } = (await make('Spare')).body.data;
    const rule = (name: string) => ({
      name,
      trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 8 } } as const,
      scope: { kind: 'all' } as const,
      actions: [{ kind: 'mail' as const, group_id: groupId, template_id: null }],
      enabled: false,
    });
    const active = { active_from: null, active_until: null, group_minutes: null };
    const rules: string[] = [];
    for (const name of ['Cap', 'B', 'c', 'D', 'E', 'F'])
      rules.push((await admin.call(autoflow.create, { body: { ...rule(name), ...active } })).body.data.id);
    const sim = await makeSim(test.database.pool, own.id);
    await assignMsisdn(test.database.pool, sim.id);
    const when = { mode: 'once', at: '2026-12-24T18:00' } as const;
    const plan = { content: '#', when, time_zone: 'Europe/Madrid', groupId, only_failures: false };
    const body = { ...plan, name: 'Clock sync', selection: { iccids: [sim.iccid] } };
    const { id: scheduleId } = (await admin.call(schedule.create, { body })).body.data;
    const reportsTo = (notify: string[]) =>
      admin.call(report.setPreferences, {
        body: { kinds: ['sim-usage'], formats: ['csv'], language: 'en-US', time_zone: 'UTC', notify },
      });
    expect((await reportsTo([groupId])).http).toBe(200);
    const forward = (forward_to: string[]) =>
      admin.call(sms.updateService, { params: { orgCode: 'own' }, body: { forward_to } });
    await forward([groupId]);
    const removal = async (language = 'en-US') => {
      const request = { params: { groupId } };
      const headers = { 'accept-language': language };
      const { body: answer, http } = await admin.call(calls.removeTarget, request, { headers });
      return [http, answer.status.code, answer.status.message];
    };
    expect(await removal()).toEqual([
      409,
      'CB-09-0033',
      'Shift is in use by the rules B, c, Cap, D, E and 1 more, the scheduled SMS Clock sync, the reports, ' +
        'the forwarding of SMS. Choose another target there first.',
    ]);
    expect((await admin.call(calls.removeTarget, { params: { groupId: spare } })).http).toBe(200);
    await forward([]);
    await reportsTo([]);
    await admin.call(schedule.remove, { query: { scheduleId } });
    for (const ruleId of rules.slice(1)) await admin.call(autoflow.remove, { params: { ruleId } });
    expect(await removal('es-ES')).toEqual([
      409,
      'CB-09-0033',
      'Shift está en uso: reglas Cap. Elija allí primero otro destino.',
    ]);
    await admin.call(autoflow.remove, { params: { ruleId: rules[0] ?? '' } });
    expect((await removal())[0]).toBe(200);
  });

  it('shows what was sent to it, with each attempt', async () => {
    const { id: groupId } = (await make('Shift', ['a@example.test', 'b@example.test'])).body.data;
    const { notification_id: id } = (await admin.call(calls.tryTarget, { params: { groupId } })).body.data;
    const { body } = await admin.call(calls.listDeliveries, { params: { groupId } });
    const waiting = {
      id: expect.any(String),
      notification_id: id,
      kind: 'test',
      state: 'waiting',
      attempts: 0,
      fault: null,
      status: null,
      duration_ms: null,
      created_at: '2026-11-21T12:00:00.000Z',
      last_attempt_at: null,
      next_attempt_at: '2026-11-21T12:00:00.000Z',
    };
    expect(body.data).toEqual([
      { ...waiting, address: 'b@example.test' },
      { ...waiting, address: 'a@example.test' },
    ]);
    const deliveryId = body.data[0]?.id ?? '';
    await query(
      `with tried as (insert into delivery_attempts (delivery_id, number, at, duration_ms, fault)
         values ($1, 1, '2026-11-21T12:00:01Z', 40, 'connection'))
       update deliveries set attempts = 1, fault = 'connection' where id = $1`,
      [deliveryId],
    );
    const one = await admin.call(calls.delivery, { params: { deliveryId } });
    expect(one.body.data).toMatchObject({
      duration_ms: 40,
      last_attempt_at: '2026-11-21T12:00:01.000Z',
      tries: [
        { number: 1, at: '2026-11-21T12:00:01.000Z', duration_ms: 40, fault: 'connection', status: null },
      ],
    });
    expect((await admin.call(calls.listGroups)).body.data[0]?.last_delivery).toEqual({
      at: '2026-11-21T12:00:00.000Z',
      state: 'waiting',
    });
    const foreign = await stranger.call(calls.delivery, { params: { deliveryId } });
    expect([foreign.http, foreign.body.status.code]).toEqual([404, 'CB-09-0030']);
  });

  it('has a limit of tests for each hour, also for concurrent requests', async () => {
    const { id: groupId } = (await make('Shift')).body.data;
    const tries = limits.notifications.tests + 2;
    const answers = await Promise.all(
      Array.from({ length: tries }, () => admin.call(calls.tryTarget, { params: { groupId } })),
    );
    expect(answers.filter(({ body }) => body.status.code === 'CB-09-0029')).toHaveLength(2);
    expect((await query('select from deliveries')).rowCount).toBe(limits.notifications.tests);
  });

  it('has a limit of tests for each hour and organisation, also under another name', async () => {
    const body = { name: 'Strangers', emails: ['stranger@example.test'] };
    const codes = [];
    for (let n = 0; n <= limits.notifications.organisationTests; n += 1) {
      const { id: groupId } = (await admin.call(calls.createGroup, { body })).body.data;
      codes.push((await admin.call(calls.tryTarget, { params: { groupId } })).body.status.code);
      await admin.call(calls.removeTarget, { params: { groupId } });
    }
    expect(codes.filter((code) => code === 'CB-00-0000')).toHaveLength(
      limits.notifications.organisationTests,
    );
    expect(codes.at(-1)).toBe('CB-09-0034');
  });

  it('of phones is tested only if messages can be sent and the organisation may send them', async () => {
    const { id: groupId } = (await makePhones('Calls', ['85212345678'])).body.data;
    const tried = async () => (await admin.call(calls.tryTarget, { params: { groupId } })).body.status.code;
    expect(await tried()).toBe('CB-09-0028');
    await query(
      `insert into smsc_connections (name, host, port, tls, bind, system_id, sealed_password, system_type, priority, window_size)
       values ('test', '192.0.2.9', 2775, false, 'transceiver', 'cube', '', '', 0, 10)`,
    );
    expect(await tried()).toBe('CB-00-0000');
    await query(
      'insert into sms_services (org_id, can_send, can_receive) select id, false, true from organisations',
    );
    expect(await tried()).toBe('CB-04-0001');
    await query('delete from sms_services');
  });
});
