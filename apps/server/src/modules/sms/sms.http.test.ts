import { endpoints, headers } from '@simcube/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { startBackground } from '../../testing/background.ts';
import { assignMsisdn, makeSim } from '../../testing/inventory.ts';
import { operatorActor } from '../audit/index.ts';
import { addConnection } from './connections/connections.service.ts';

const { sms: calls } = endpoints;
const soon = { timeout: 30_000, interval: 20 };

let test: TestApp;
let background: Awaited<ReturnType<typeof startBackground>>;
let operator: TestClient;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let parent: typeof org;

const quotaOf = (id: number, quota: { kind: string; messages?: number }) =>
  test.database.pool.query(
    'update organisations set sms_quota_kind = $2, sms_quota_messages = $3 where id = $1',
    [id, quota.kind, quota.messages ?? null],
  );

beforeAll(async () => {
  test = await testApp();
  background = await startBackground(test);
  parent = await makeOrganisation(test, { code: 'the-parent' });
  org = await makeOrganisation(test, { code: 'acme', parentCode: 'the-parent' });
  operator = await signedInAs(test, 'operator', org);
});
afterAll(async () => {
  await background.stop();
  await test.close();
});

const simWithNumber = async (facts: Parameters<typeof makeSim>[2] = {}) => {
  const sim = await makeSim(test.database.pool, org.id, facts);
  return { ...sim, msisdn: await assignMsisdn(test.database.pool, sim.id) };
};
const send = (iccids: string[], content: string, more: { preview?: boolean } = {}) =>
  operator.call(calls.send, { body: { selection: { iccids }, content, ...more } });
const remaining = async () => (await operator.call(calls.remainUsage, {})).body.data;
const conversation = async (iccid: string) =>
  (await operator.call(calls.listOfSim, { query: { iccid } })).body.data;

describe('a message', () => {
  it('to one SIM is stored and charged to the quota before the response', async () => {
    const sim = await simWithNumber();
    const before = await remaining();
    const { body } = await send([sim.iccid], 'STATUS € ç');
    expect(body.data).toMatchObject({
      task: null,
      message: { iccid: sim.iccid, msisdn: sim.msisdn, status: 'processing', encoding: 'ucs2', parts: 1 },
    });
    expect((await remaining()).used).toBe(before.used + 1);
    expect((await conversation(sim.iccid)).map(({ content }) => content)).toEqual(['STATUS € ç']);
  });

  it('to many is a task with a report by SIM, after a preview with its parts', async () => {
    const [one, two] = [await simWithNumber(), await simWithNumber()];
    const mute = await makeSim(test.database.pool, org.id, {});
    const gone = await simWithNumber({ lifecycle: 'terminated' });
    const iccids = [one.iccid, two.iccid, mute.iccid, gone.iccid];
    const text = 'ä'.repeat(60) + 'ż'.repeat(20);
    const preview = await send(iccids, text, { preview: true });
    expect(preview.body.data).toMatchObject({
      preview: { selected: 4, changing: 2 },
      measure: { encoding: 'ucs2', parts: 2, total_parts: 4 },
      task: null,
    });
    const codes = preview.body.data.preview?.refused.map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['CB-04-0003', 'CB-01-0009']));
    const { body } = await send(iccids, text);
    const task = body.data.task?.reference_id;
    await expect
      .poll(async () => (await conversation(two.iccid))[0], soon)
      .toMatchObject({ content: text, parts: 2, task });
    expect(await conversation(gone.iccid)).toEqual([]);
    const params = { taskReference: task ?? '' };
    const report = await operator.call(endpoints.task.listItems, { params, query: {} });
    expect(report.body.data.map(({ label, state, code }) => [label, state, code])).toEqual([
      [one.iccid, 'done', null],
      [two.iccid, 'done', null],
      [mute.iccid, 'refused', 'CB-04-0003'],
      [gone.iccid, 'refused', 'CB-01-0009'],
    ]);
  });

  it('does not wait for operations on its SIM, but for a task’s pending message to it', async () => {
    const [held, free] = [await simWithNumber(), await simWithNumber()];
    const iccids = [held.iccid, free.iccid];
    const previewOf = async (selection: { iccids: string[] } | { filter: { identifiers: string[] } }) => {
      const { body } = await operator.call(calls.send, { body: { selection, content: 'Hi', preview: true } });
      return [body.data.preview?.changing, body.data.preview?.refused.map(({ code }) => code)];
    };
    const waitsIn = async (kind: string) => {
      const { rows } = await test.database.pool.query<{ id: number }>(
        `insert into tasks (org_id, user_id, type, quantity, started_at, moved_at)
         select $1, user_id, 'sim-suspend', 1, now(), now() from memberships where org_id = $1 limit 1 returning id`,
        [org.id],
      );
      await test.database.pool.query(
        'insert into task_items (task_id, position, kind, ref, label) values ($1, 0, $2, $3, $4)',
        [rows[0]?.id, kind, held.id, held.iccid],
      );
    };

    await waitsIn('sim');
    expect(await previewOf({ iccids })).toEqual([2, []]);
    expect(await previewOf({ iccids: [held.iccid] })).toEqual([1, []]);
    expect(await previewOf({ filter: { identifiers: iccids } })).toEqual([2, []]);
    expect((await send([held.iccid], 'One')).body.status.code).toBe('CB-00-0000');
    const task = (await send(iccids, 'Both')).body.data.task?.reference_id ?? '';
    const ended = async () => (await conversation(held.iccid))[0];
    await expect.poll(ended, soon).toMatchObject({ content: 'Both', task });
    const sims = await operator.call(endpoints.sim.list, { body: { task } });
    expect(new Set(sims.body.data.map(({ iccid }) => iccid))).toEqual(new Set(iccids));

    await waitsIn('message');
    expect(await previewOf({ iccids })).toEqual([1, ['CB-01-0011']]);
    expect(await previewOf({ iccids: [held.iccid] })).toEqual([0, ['CB-01-0011']]);
    expect(await previewOf({ filter: { identifiers: iccids } })).toEqual([1, ['CB-01-0011']]);
    expect((await send([held.iccid], 'Again')).body.status.code).toBe('CB-01-0011');
    expect((await conversation(held.iccid)).map(({ content }) => content).toSorted()).toEqual([
      'Both',
      'One',
    ]);
  });

  it('with another organisation’s idempotency key is a separate message, and with its own key is sent once', async () => {
    const [sim, other] = [await simWithNumber(), await makeOrganisation(test, { code: 'next-door' })];
    const stranger = await signedInAs(test, 'operator', other);
    const foreign = await makeSim(test.database.pool, other.id, {});
    await assignMsisdn(test.database.pool, foreign.id);
    const sent = async (client: TestClient, iccid: string) => {
      const body = { selection: { iccids: [iccid] }, content: 'Once' };
      const { http, body: answer } = await client.call(
        calls.send,
        { body },
        { headers: { [headers.idempotencyKey]: 'the-same-key' } },
      );
      return [http, http === 200 ? answer.data.message?.iccid : answer.status.code];
    };
    expect(await sent(operator, sim.iccid)).toEqual([200, sim.iccid]);
    expect(await sent(stranger, foreign.iccid)).toEqual([200, foreign.iccid]);
    expect(await sent(operator, sim.iccid)).toEqual([200, sim.iccid]);
    expect(await conversation(sim.iccid)).toHaveLength(1);
    expect(await sent(stranger, sim.iccid)).toEqual([422, 'CB-00-0422']);
  });

  it('is not sent where A2P MT SMS is suspended, until it is resumed', async () => {
    const sim = await simWithNumber();
    const selection = { iccids: [sim.iccid] };
    const codeOf = async () => (await send([sim.iccid], 'Hello')).body.status.code;
    await operator.call(calls.suspendMt, { body: { selection } });
    await expect
      .poll(async () => (await send([sim.iccid], 'Hi', { preview: true })).body.data.preview?.changing, soon)
      .toBe(0);
    expect(await codeOf()).toBe('CB-04-0004');
    const again = await operator.call(calls.suspendMt, { body: { selection } });
    expect(again.body.status.code).toBe('CB-04-0004');
    await operator.call(calls.resumeMt, { body: { selection } });
    await expect.poll(codeOf, soon).toBe('CB-00-0000');
  });

  it('has at most 140 characters, and requires the permission to send', async () => {
    const sim = await simWithNumber();
    expect((await send([sim.iccid], 'x'.repeat(141))).http).toBe(400);
    const user = await signedInAs(test, 'user', org);
    const refused = await user.call(calls.send, {
      body: { selection: { iccids: [sim.iccid] }, content: 'Hello' },
    });
    expect(refused.body.status.code).toBe('CB-00-0403');
  });

  it('lists at most 1,000 ICCIDs', async () => {
    const listing = async (length: number) => {
      const unknown = Array.from({ length }, (_, index) => String(10 ** 18 + index));
      return (await send(unknown, 'Hello', { preview: true })).body;
    };
    expect((await listing(1001)).status.code).toBe('CB-01-0002');
    expect((await listing(1000)).data.preview).toMatchObject({ changing: 0 });
  });

  it('of a transferred SIM stays with the organisation that sent it', async () => {
    const sim = await simWithNumber();
    await send([sim.iccid], 'Ours');
    const other = await makeOrganisation(test, { code: 'the-buyer' });
    await test.database.pool.query('update sims set org_id = $2 where id = $1', [sim.id, other.id]);
    const buyer = await signedInAs(test, 'operator', other);
    expect((await buyer.call(calls.listOfSim, { query: { iccid: sim.iccid } })).body.data).toEqual([]);
    expect((await buyer.call(calls.list, { body: { iccids: [sim.iccid] } })).body.data).toEqual([]);
    const { body } = await operator.call(calls.list, { body: { iccids: [sim.iccid] } });
    expect(body.data).toMatchObject([{ content: 'Ours', own: false, device_name: null }]);
  });
});

describe('the quota of a month', () => {
  it('is never exceeded by concurrent senders, also if it is inherited', async () => {
    await quotaOf(parent.id, { kind: 'custom', messages: 1000 });
    const { used } = await remaining();
    await quotaOf(parent.id, { kind: 'custom', messages: used + 7 });
    const sims = await Promise.all(Array.from({ length: 5 }, () => simWithNumber()));
    const answers = await Promise.all(sims.map(({ iccid }) => send([iccid], 'ż'.repeat(80))));
    const accepted = answers.filter(({ http }) => http === 200);
    // Two parts each: three fit into seven.
    expect(accepted).toHaveLength(3);
    expect(new Set(answers.map(({ body }) => body.status.code))).toEqual(
      new Set(['CB-00-0000', 'CB-04-0002']),
    );
    expect(await remaining()).toMatchObject({ used: used + 6, remaining: 1 });
    const { rows } = await test.database.pool.query(
      'select parts from sms_quota_spent where org_id = any($1) order by 1',
      [[parent.id, org.id]],
    );
    expect(rows).toEqual([{ parts: used + 6 }, { parts: used + 6 }]);
    const all = await send(
      sims.map(({ iccid }) => iccid),
      'Hello',
    );
    expect(all.body.status.code).toBe('CB-04-0002');
    await quotaOf(parent.id, { kind: 'inherit' });
  });
});

describe('what an organisation may send', () => {
  it('is set only by the organisation above it', async () => {
    const sim = await simWithNumber();
    const admin = await signedInAs(test, 'admin', org);
    const above = await signedInAs(test, 'admin', parent);
    const params = { orgCode: 'acme' };
    const none = { can_send: false, can_receive: true, sender: null };
    const own = await admin.call(calls.updateService, { params, body: none });
    expect(own.body.status.code).toBe('CB-07-0134');
    await above.call(calls.updateService, { params, body: none });
    expect((await send([sim.iccid], 'Hello')).body.status.code).toBe('CB-04-0001');
    await above.call(calls.updateService, { params, body: { ...none, can_send: true, sender: 'ACME' } });
    expect((await send([sim.iccid], 'Hello')).http).toBe(200);
  });
});

describe('what organisations below may send', () => {
  const codesOf = async (client: TestClient) =>
    (await client.call(calls.listServices)).body.data.map(({ org_code }) => org_code);
  const params = { orgCode: 'acme' };

  it.each(['user', 'operator'] as const)('is not for a %s, who sees their own organisation', async (role) => {
    const client = await signedInAs(test, role, parent);
    expect(await codesOf(client)).toEqual(['the-parent']);
    for (const call of [calls.service, calls.hasConfig]) {
      const { http, body } = await client.call(call, { params });
      expect([http, body.status.code]).toEqual([404, 'CB-07-0029']);
    }
  });

  it('is shown to admins, who may change it', async () => {
    const client = await signedInAs(test, 'admin', parent);
    expect(await codesOf(client)).toEqual(expect.arrayContaining(['the-parent', 'acme']));
    expect((await client.call(calls.service, { params })).body.data.editable).toBe(true);
  });
});

describe('whether an organisation can send, and what it has', () => {
  it('follows its settings and the operator’s connections, with business days of UTC+8', async () => {
    const fresh = await makeOrganisation(test, { code: 'fresh', parentCode: 'the-parent' });
    const [client, above] = [
      await signedInAs(test, 'operator', fresh),
      await signedInAs(test, 'admin', parent),
    ];
    const params = { orgCode: 'fresh' };
    const can = async () => (await client.call(calls.hasConfig, { params })).body.data;
    expect(await can()).toBe(false);
    await addConnection(
      { pool: test.database.pool, clock: test.clock, vault: test.vault, actor: operatorActor() },
      { name: 'madrid-1', host: '192.0.2.9', system_id: 'cube' },
      'secret',
    );
    expect(await can()).toBe(true);
    const sim = await makeSim(test.database.pool, fresh.id, {});
    await assignMsisdn(test.database.pool, sim.id);
    // 15:59 UTC is the last minute of the day in UTC+8.
    const sendAt = async (at: string, content: string) => {
      test.clock.set(at);
      const signedIn = await signedInAs(test, 'operator', fresh);
      const body = { selection: { iccids: [sim.iccid] }, content };
      expect((await signedIn.call(calls.send, { body })).http).toBe(200);
      return signedIn;
    };
    await sendAt('2026-11-21T15:59:00Z', 'One');
    const later = await sendAt('2026-11-21T16:00:00Z', 'ż'.repeat(80));
    const { data } = (await later.call(calls.usage, {})).body;
    expect(data).toMatchObject({ mt: 2, mt_parts: 3, mo: 0, quota: { month: '2026-11', used: 3 } });
    expect(data.days.filter(({ mt }) => mt > 0)).toEqual([
      { day: '2026-11-21', mt: 1, mt_parts: 1, mo: 0 },
      { day: '2026-11-22', mt: 1, mt_parts: 2, mo: 0 },
    ]);
    await above.call(calls.updateService, { params, body: { can_send: false } });
    expect((await later.call(calls.hasConfig, { params })).body.data).toBe(false);
    const foreign = await operator.call(calls.hasConfig, { params });
    expect([foreign.http, foreign.body.status.code]).toEqual([404, 'CB-07-0029']);
  });
});

describe('where messages of SIMs are forwarded', () => {
  const params = { orgCode: 'acme' };
  const notify = endpoints.notify;

  it('is set by the organisation itself, to address groups and API targets of its own', async () => {
    const admin = await signedInAs(test, 'admin', org);
    const above = await signedInAs(test, 'admin', parent);
    const groupOf = async (client: TestClient) =>
      (await client.call(notify.createGroup, { body: { name: 'Desk', emails: ['desk@acme.example'] } })).body
        .data.id;
    const phones = { name: 'On call', phones: ['4915112345678'] };
    const [group, foreign] = [await groupOf(admin), await groupOf(above)];
    const onCall = (await admin.call(notify.createSmsGroup, { body: phones })).body.data.id;
    const set = async (client: TestClient, forwardTo: string[]) =>
      (await client.call(calls.updateService, { params, body: { forward_to: forwardTo } })).body;
    expect((await set(operator, [group])).status.code).toBe('CB-07-0134');
    expect((await set(above, [foreign])).status.code).toBe('CB-07-0134');
    expect((await set(admin, [group, foreign])).status.code).toBe('CB-09-0017');
    expect((await set(admin, [onCall])).status.code).toBe('CB-09-0017');
    expect((await set(admin, [group, group])).data.forward_to).toEqual([group]);
    await above.call(calls.updateService, { params, body: { sender: 'ACME-2' } });
    const { data } = (await admin.call(calls.service, { params })).body;
    expect(data).toMatchObject({ sender: 'ACME-2', can_send: true, forward_to: [group], editable: false });
    expect((await above.call(calls.service, { params })).body.data.forward_to).toBeNull();
    expect((await set(admin, [])).data.forward_to).toEqual([]);
  });

  it('records an audit entry only if something changes', async () => {
    const admin = await signedInAs(test, 'admin', org);
    const entries = async () =>
      (
        await test.database.pool.query(
          `select from audit_entries where org_id = $1 and action = 'sms-service.changed'`,
          [org.id],
        )
      ).rowCount;
    const body = { name: 'Night desk', emails: ['night@acme.example'] };
    const { id } = (await admin.call(notify.createGroup, { body })).body.data;
    await admin.call(calls.updateService, { params, body: { forward_to: [id] } });
    const before = await entries();
    for (const same of [{}, { forward_to: [id] }, { forward_to: [`0${id}`] }]) {
      const { data } = (await admin.call(calls.updateService, { params, body: same })).body;
      expect(data.forward_to).toEqual([id]);
    }
    expect(await entries()).toBe(before);
    await admin.call(calls.updateService, { params, body: { forward_to: [] } });
    expect(await entries()).toBe((before ?? 0) + 1);
    const { rows } = await test.database.pool.query(
      `select before, after from audit_entries where org_id = $1 order by number desc limit 1`,
      [org.id],
    );
    expect(rows).toEqual([{ before: { forward_to: ['Night desk'] }, after: { forward_to: [] } }]);
  });
});

describe('reports', () => {
  it('have a row for each message that the filter finds', async () => {
    const sim = await simWithNumber();
    await send([sim.iccid], '=1+1');
    await send([sim.iccid], 'ż');
    const filter = { iccids: [sim.iccid] };
    const { body } = await operator.call(calls.reportMt, { body: { filter } });
    expect(body.data.quantity).toBe(2);
    const file = async () => {
      const { rows } = await test.database.pool.query<{ content: Buffer }>(
        'select content from task_files where task_id = $1 order by part',
        [Number(body.data.reference_id.slice(1))],
      );
      return Buffer.concat(rows.map(({ content }) => content)).toString();
    };
    await expect.poll(file, soon).toContain(sim.iccid);
    const downloaded = await test.app.inject({
      method: 'POST',
      url: calls.download.path,
      headers: operator.headers,
      payload: { filter },
    });
    for (const text of [await file(), downloaded.body]) {
      const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[];
      const shared = { ICCID: sim.iccid, Direction: 'To the SIM', Type: 'Instant', Parts: '1', Replies: '0' };
      expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['Type', 'Encoding', 'Replies']);
      // Cells that a spreadsheet would evaluate are text.
      expect(rows).toEqual([
        expect.objectContaining({ ...shared, Content: 'ż', Encoding: 'UCS-2' }),
        expect.objectContaining({ ...shared, Content: "'=1+1", Encoding: 'GSM-7' }),
      ]);
    }
    const nothing = await operator.call(calls.reportMo, { body: { filter } });
    expect(nothing.body.status.code).toBe('CB-09-0010');
  });
});
