import { allEndpoints, type EndpointShape, type Envelope, endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { createBundle } from '../../modules/bundle/index.ts';
import { simItems } from '../../modules/sim/index.ts';
import { startWork } from '../../modules/task/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import { makeBill } from '../bills.ts';
import { bundleOf } from '../bundles.ts';
import { importRecords } from '../cdrs.ts';
import { makeDetailedSim } from '../details.ts';
import { assignMsisdn, makeSim } from '../inventory.ts';
import { makePool, orderShared } from '../pools.ts';
import { makeReports } from '../reports.ts';
import { logCalls } from '../signing.ts';
import { fillParts, inject, partsOf } from './call-endpoint.ts';

/** Every list of the contract, walked by cursor and by number, in each of its orders. */

let test: TestApp;
let client: TestClient;
const references = new Map<string, string>();

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  const sim = await makeDetailedSim(test);
  client = sim.admin;
  const org = { id: client.orgId, code: 'acme', tenantId: client.headers['tenantid'] ?? '' };
  for (let made = 0; made < 3; made += 1) await makeSim(pool, org.id, { deviceName: 'Pump' });
  for (let other = 0; other < 2; other += 1) await signedInAs(test, 'user', org);
  await pool.query(
    `insert into user_sessions (user_id, token_hash, created_at, last_used_at)
     select user_id, sha256(n::text::bytea), created_at, last_used_at
     from user_sessions cross join generate_series(1, 3) n where user_id = $1`,
    [client.userId],
  );
  await pool.query(
    `insert into memberships (org_id, user_id, role)
     select id, $1, 'user' from organisations where id <> $2 on conflict do nothing`,
    [client.userId, org.id],
  );
  for (const name of ['Day shift', 'Night shift', 'Weekend']) {
    await client.call(endpoints.notify.createGroup, { body: { name, emails: ['a@example.test'] } });
    await client.call(endpoints.notify.createSmsGroup, { body: { name, phones: ['4915112345678'] } });
    const url = 'https://hooks.example.test/';
    const api = await client.call(endpoints.notify.createApiTarget, { body: { name, url } });
    references.set('groupId', api.body.data.target.id);
  }
  for (let tried = 0; tried < 3; tried += 1)
    await client.call(endpoints.notify.tryTarget, { params: { groupId: references.get('groupId') ?? '' } });
  for (const name of ['One', 'Two', 'Three'])
    await client.call(endpoints.developer.createKey, { body: { name } });
  await logCalls(test, client);
  const developer = { params: { accountId: client.userId } };
  await client.call(endpoints.webhook.setUrl, { ...developer, body: { url: 'https://hooks.example.test/' } });
  for (let sent = 0; sent < 3; sent += 1) await client.call(endpoints.webhook.test, developer);
  const ruleId = await ruleWithRuns(sim.id);
  references.set('ruleId', ruleId);
  references.set('replayId', await replayWithFirings(sim.id, ruleId));
  const hours = ['08', '09', '10'];
  await importRecords(
    test,
    hours.map((hour) => ({ iccid: sim.iccid, ended_at: `2026-11-21T${hour}:00:00Z` })),
  );
  for (const code of ['S', 'M', 'L']) await createBundle(pool, bundleOf({ code, orderable: true }));
  await makePool(pool, org.id, { now: test.clock.now(), name: 'Vans', bundle: 'VANS' });
  const shared = await makePool(pool, org.id, { now: test.clock.now() });
  for (let member = 0; member < 3; member += 1) {
    const { id, iccid } = await makeSim(pool, org.id, {});
    await orderShared(pool, shared, [iccid], test.clock.now());
    await shared.enrol([id], test.clock.now());
  }
  await assignMsisdn(pool, sim.id);
  for (const content of ['On', 'Off', 'Status'])
    await client.call(endpoints.sms.send, { body: { selection: { iccids: [sim.iccid] }, content } });
  await pool.query(
    `insert into sms_messages (sim_id, at, org_id, mobile_originated, status, msisdn, content, encoding, parts,
       reply_to_at, reply_to_id)
     select $1, $2, $3, true, 5, '88213', n::text, 0, 1, $2, n from generate_series(1, 3) n`,
    [sim.id, test.clock.now(), org.id],
  );
  for (let made = 0; made < 3; made += 1) references.set('scheduleId', await scheduleOf(sim));
  await makeOrganisation(test, { code: 'acme-below', parentCode: 'acme' });
  references.set('poolId', String(shared.id));
  references.set('billId', await billWithVersions(org.id, shared.id));
  await makeReports(pool, { orgId: org.id, kinds: ['inventory', 'sms', 'status-changes'] });
  references.set('orgCode', org.code);
  for (let order = 0; order < 3; order += 1) references.set('taskReference', await taskOf(sim));
  references.set('iccid', sim.iccid);
  references.set('partnerCode', org.code);
});
afterAll(() => test.close());

/** With three SIMs, runs and entries of its log. */
const scheduleOf = async ({ id, iccid }: { id: number; iccid: string }): Promise<string> => {
  const when = { mode: 'once', at: '2030-01-01T06:30' } as const;
  const text = { name: 'Status', content: '#STAT', time_zone: 'UTC', groupId: null, only_failures: false };
  const body = { ...text, when, selection: { iccids: [iccid] } };
  const { id: scheduleId } = (await client.call(endpoints.schedule.create, { body })).body.data;
  for (const enabled of [false, true])
    await client.call(endpoints.schedule.setStatus, { body: { scheduleId, enabled } });
  const { pool } = test.database;
  await pool.query(
    `insert into schedule_sims (schedule_id, sim_id, iccid)
     select $1, id, iccid from sims where id <> $2 order by id limit 2`,
    [scheduleId, id],
  );
  await pool.query(
    `insert into schedule_runs (schedule_id, run_at, org_id, state, quantity)
     select $1, $2::timestamptz - n * interval '1 day', $3, 'missed', 1 from generate_series(1, 3) n`,
    [scheduleId, test.clock.now(), client.orgId],
  );
  return scheduleId;
};

/** The last of two versions of one of three bills, with lines and SIMs. */
const billWithVersions = async (orgId: number, poolId: number): Promise<string> => {
  const { pool } = test.database;
  const { rows } = await pool.query<{ id: number }>('select id from sims where org_id = $1', [orgId]);
  const simIds = rows.map(({ id }) => id);
  for (const month of ['2026-08', '2026-09']) await makeBill(pool, { orgId, month });
  const versions = [];
  for (const version of [1, 2]) {
    versions.push(await makeBill(pool, { orgId, simIds, serial: 900, version }));
  }
  await pool.query(
    `insert into bill_lines select (jsonb_populate_record(null::bill_lines, to_jsonb(n) || jsonb_build_object(
       'line', 4, 'kind', 'pool-cycle', 'pool_id', c.pool_id, 'pool_name', 'Trucks', 'pool_cycle_at', c.started_at))).*
     from bill_lines n cross join pool_cycles c
     where n.bill_id = $1 and n.line = 1 and c.pool_id = $2 and c.launched_at is not null limit 1`,
    [versions.at(-1), poolId],
  );
  return String(versions.at(-1));
};

/** The last of three rules, with firings and change records; each has a template, too. */
const ruleWithRuns = async (simId: number): Promise<string> => {
  const { autoflow: calls } = endpoints;
  const trigger = { kind: 'silent', hours: 1 } as const;
  const always = { active_from: null, active_until: null, group_minutes: null };
  const actions = [{ kind: 'suspend' as const }];
  const rule = { trigger, scope: { kind: 'all' as const }, actions, ...always };
  const text = { subject: '{{rule}}', text: '{{iccid}}', sms: '{{iccid}}' };
  let ruleId = '';
  for (const name of ['One', 'Two', 'Three']) {
    await client.call(calls.createTemplate, { body: { name, texts: { 'en-US': text } } });
    ruleId = (await client.call(calls.create, { body: { name, ...rule } })).body.data.id;
  }
  for (const state of ['disabled', 'enabled'] as const)
    await client.call(calls.setState, { params: { ruleId, state } });
  const measured = { value: 2, threshold: 1, unit: 'hours', since: null };
  await test.database.pool.query(
    `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, kept_until)
     select $1, $2, 1, $3, n::text, $4, $4, $5, '2027-12-01' from generate_series(1, 3) n`,
    [client.orgId, ruleId, simId, test.clock.now(), measured],
  );
  return ruleId;
};

/** A replay of a rule, with firings. */
const replayWithFirings = async (simId: number, ruleId: string): Promise<string> => {
  const trigger = { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 1 } } as const;
  const { id } = (await client.call(endpoints.autoflow.replay, { body: { ruleId, trigger } })).body.data;
  await test.database.pool.query(
    `insert into autoflow_replay_firings (replay_id, number, sim_id, happened_at, measured)
     select $1, n, $2, $3::timestamptz - n * interval '1 day', '{"value":2,"threshold":1,"unit":"octets","since":null}'
     from generate_series(1, 3) n`,
    [id, simId, test.clock.now()],
  );
  return id;
};

const taskOf = ({ id, iccid }: { id: number; iccid: string }): Promise<string> =>
  inTransaction(test.database.pool, async (tx) => {
    const refused = { ref: id, label: iccid, refused: 'CB-01-0015' as const };
    const task = await startWork(tx, {
      orgId: client.orgId,
      userId: client.userId,
      actor: { kind: 'person', id: null, name: 'A', address: null, traceId: null, action: undefined },
      type: 'sim-suspend',
      remark: null,
      parameters: {},
      at: test.clock.now(),
      kind: simItems,
      items: [refused, refused, refused],
      access: null,
    });
    return task.reference_id;
  });

const pageIn = (endpoint: EndpointShape): 'query' | 'body' =>
  'page_no' in partsOf(endpoint).query ? 'query' : 'body';

const callList = async (endpoint: EndpointShape, overrides: object): Promise<Envelope<unknown[]>> => {
  // Filters are omitted, so that the list has all of its rows.
  const parts = await fillParts(endpoint, (field, _, isOptional) =>
    isOptional ? undefined : references.get(field),
  );
  const where = pageIn(endpoint);
  const asked = { ...parts, [where]: { ...parts[where], ...overrides } };
  const answer = await inject(test, endpoint, { headers: client.headers, parts: asked });
  return answer.json();
};

/** Each order that can be chosen, and the default. */
const ordersOf = (endpoint: EndpointShape): { sort?: string }[] => {
  const fields: Record<string, z.ZodType> = partsOf(endpoint)[pageIn(endpoint)];
  const sort = fields['sort'] as z.ZodOptional<z.ZodEnum> | undefined;
  return [{}, ...(sort?.unwrap().options ?? []).map((option) => ({ sort: String(option) }))];
};

/** The same list under two addresses of the specification. */
const sameLists: readonly (readonly string[])[] = [
  [endpoints.bundle.listServices.id, endpoints.bundle.listOrders.id],
  [endpoints.pool.listOfOrganisation.id, endpoints.pool.listPools.id],
];

const lists = allEndpoints.filter((endpoint: EndpointShape) => endpoint.list);

it.each(lists)('$id returns every row once, by cursor and page number, in each order', async (endpoint) => {
  for (const order of ordersOf(endpoint)) {
    const complete = await callList(endpoint, { ...order, page_size: 1000 });
    const rows = complete.data;
    expect(rows.length, endpoint.id).toBeGreaterThan(1);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    expect(complete).toMatchObject({ total_count: rows.length, total_relation: 'eq', next_cursor: null });
    const byCursor: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const one = await callList(endpoint, { ...order, page_size: 1, ...(cursor && { cursor }) });
      expect(one.total_count).toBe(rows.length);
      byCursor.push(...one.data);
      cursor = one.next_cursor;
    } while (cursor);
    expect(byCursor).toEqual(rows);
    const byNumber: unknown[] = [];
    for (let page_no = 1; page_no <= rows.length + 1; page_no += 1) {
      const one = await callList(endpoint, { ...order, page_size: 1, page_no });
      expect(one.next_cursor === null).toBe(page_no >= rows.length);
      byNumber.push(...one.data);
    }
    expect(byNumber).toEqual(rows);
  }
});

const cursors = new Map<string, string>();

it.each(lists)('$id has a next page here', async (endpoint) => {
  const { next_cursor } = await callList(endpoint, { page_size: 1 });
  expect(next_cursor).not.toBeNull();
  cursors.set(endpoint.id, next_cursor ?? '');
});

it.each(lists)('$id rejects foreign and malformed cursors', async (endpoint) => {
  const own = cursors.get(endpoint.id) ?? '';
  const [mark = ''] = JSON.parse(Buffer.from(own, 'base64url').toString());
  const encoded = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
  const wrong = [
    'x',
    encoded({}),
    encoded([]),
    encoded([mark]),
    encoded([mark, {}, {}]),
    encoded([mark, '\0', '\0', '\0']),
  ];
  for (const [id, cursor] of cursors) {
    const isSame =
      id === endpoint.id || sameLists.some((twin) => [id, endpoint.id].every((one) => twin.includes(one)));
    if (!isSame) wrong.push(cursor);
  }
  const chosen = await callList(endpoint, { ...ordersOf(endpoint).at(-1), page_size: 1 });
  if (ordersOf(endpoint).length > 1) wrong.push(chosen.next_cursor ?? '');
  for (const cursor of wrong) {
    const { status } = await callList(endpoint, { cursor });
    expect([status.code, cursor]).toEqual(['CB-00-0406', cursor]);
  }
});

it('a cursor of the longest name is accepted', async () => {
  // One character that becomes eighteen when its width is normalised.
  const name = '\u{FDFA}'.repeat(60);
  for (let made = 0; made < 2; made += 1) {
    await makeSim(test.database.pool, client.orgId, { deviceName: name });
  }
  const overrides = { search: name.slice(0, 3), sort: 'device_name' as const, page_size: 1 };
  const first = await client.call(endpoints.sim.list, { body: overrides });
  const { body } = await client.call(endpoints.sim.list, {
    body: { ...overrides, cursor: first.body.next_cursor ?? '' },
  });
  expect(body.data.map(({ device_name }) => device_name)).toEqual([name]);
  expect(body.next_cursor).toBeNull();
});
