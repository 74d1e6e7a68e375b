import { endpoints, roles } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../testing/app.ts';
import { makeBundle, makeSim } from '../../testing/inventory.ts';
import { readPdf } from '../../testing/pdf.ts';

const calls = endpoints.diagnose;
let test: TestApp;
let own: Awaited<ReturnType<typeof makeOrganisation>>;
let person: TestClient;
let stranger: TestClient;
let nobody: TestClient;
let sim: { id: number; iccid: string };

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);
const checkOf = (report: Diagnose, name: string) => report.checks.find(({ check }) => check === name);
const share = async (client = person) =>
  (await client.call(calls.share, { body: { iccid: sim.iccid } })).body.data;
const ownPdf = (client: TestClient, language = 'en-US', iccid = sim.iccid) =>
  test.app.inject({
    url: `${calls.pdf.path}?${new URLSearchParams({ iccid })}`,
    headers: { ...client.headers, 'accept-language': language },
  });
const publicPdf = (id: string, language: string) =>
  test.app.inject({
    url: `/public-sphere/cube/sims/diagnose/${id}/pdf`,
    headers: { 'accept-language': language },
  });

beforeAll(async () => {
  test = await testApp();
  own = await makeOrganisation(test, { code: 'own' });
  person = await signedInAs(test, 'admin', own);
  stranger = await signedInAs(test, 'superadmin', await makeOrganisation(test, { code: 'foreign' }));
  nobody = anonymous(test);
  const bundleId = await makeBundle(test.database.pool, { code: 'EU' });
  await query(
    `update bundles set out_of_coverage_policy = 'shut down', coverage_countries = '{DE}' where id = $1`,
    [bundleId],
  );
  await query(
    `insert into networks (plmn, mcc, mnc, operator, country) values
     (262002, '262', '02', 'Vodafone', 'DE'), (228001, '228', '01', 'Swisscom', 'CH')
     on conflict (plmn) do update set operator = excluded.operator, country = excluded.country`,
  );
  sim = await makeSim(test.database.pool, own.id, {
    deviceName: '水泵 7',
    imei: '356938035643809',
    bundleId,
    connection: 'online',
    lastSeenAt: '2026-11-21T11:58:00Z',
    usedBytes: 100,
    limitBytes: 1024 ** 3,
    plmn: 262002,
  });
  await query(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at, expires_at)
     values ($1, $2, $3, 'in use', '2026-11-01', '2026-12-31')`,
    [sim.id, own.id, bundleId],
  );
  await query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
       started_at, updated_at, up_bytes, down_bytes, ip, apn, plmn)
     values ($1, 1, $2, 1, 'gw', '127.0.0.1', 'S1', '2026-11-21T10:00Z', '2026-11-21T11:58Z', 50, 50, '10.1.2.3',
       'iot.example', 262002)`,
    [sim.id, own.id],
  );
});
afterAll(() => test.close());

describe('a diagnosis', () => {
  it('reports no fault of a working SIM', async () => {
    const { http, body } = await person.call(calls.run, { query: { iccid: sim.iccid } });
    expect([http, body.as_of]).toEqual([200, '2026-11-21T12:00:00.000Z']);
    expect(body.data).toMatchObject({ iccid: sim.iccid, device_name: '水泵 7', overall: 'good' });
    expect(body.data.checks.map(({ finding }) => finding)).toEqual([
      'card-known',
      'active',
      'order-in-use',
      'quota-left',
      'let-in',
      'seen',
      'session-open',
      'apn-any-used',
      'ip-private',
      'imei-steady',
      'coverage-inside',
      'rejects-none',
    ]);
  });

  it('predicts the response of AAA by its own rule, from the last location of the SIM', async () => {
    await query('update sim_live set plmn = 228001 where sim_id = $1', [sim.id]);
    const abroad = (await person.call(calls.run, { query: { iccid: sim.iccid } })).body.data;
    expect(checkOf(abroad, 'authorisation')?.finding).toBe('refused-outside-coverage');
    expect(checkOf(abroad, 'coverage')?.facts).toEqual({ country: 'CH' });
    await query('update sim_live set plmn = 262002 where sim_id = $1', [sim.id]);
    await query('update sims set lifecycle = 30 where id = $1', [sim.id]);
    await query(
      `insert into radius_rejects (at, client_id, sim_id, reason) values
       ('2026-11-21T11:59Z', 1, $1, 'paused'), ('2026-11-21T11:59:30Z', 1, $1, 'paused'),
       ('2026-11-20T11:59Z', 1, $1, 'quota-used')`,
      [sim.id],
    );
    const paused = (
      await person.call(
        calls.run,
        { query: { iccid: sim.iccid } },
        { headers: { 'accept-language': 'zh-CN' } },
      )
    ).body.data;
    expect(checkOf(paused, 'authorisation')).toMatchObject({ light: 'bad', advice: '请恢复 SIM 卡。' });
    expect(checkOf(paused, 'rejects')).toMatchObject({
      finding: 'rejects-lasting',
      facts: { times: 2, times_paused: 2 },
    });
    await query('update sims set lifecycle = 23 where id = $1', [sim.id]);
    await query('delete from radius_rejects');
  });

  it('names the last cell of the network in which the SIM was seen, and the nearest town', async () => {
    const seen = async () => {
      const { body } = await person.call(calls.run, { query: { iccid: sim.iccid } });
      return checkOf(body.data, 'registration')?.facts;
    };
    expect(await seen()).toMatchObject({ cell: null, town: null });
    await query(`update radius_sessions set cell = '262-02-31F2-1A7C40' where sim_id = $1`, [sim.id]);
    expect(await seen()).toMatchObject({ cell: '262-02-31F2-1A7C40', town: null });
    await query(
      `insert into cells (cell, latitude, longitude, name) values ('262-02-31F2-1A7C40', 53.55, 9.99, '')`,
    );
    expect(await seen()).toMatchObject({ cell: '262-02-31F2-1A7C40', town: 'Hamburg' });
    const id = (await share()).id;
    const shared = await nobody.call(calls.readShared, { params: { linkId: id } });
    expect(checkOf(shared.body.data, 'registration')?.sentence).toContain('near Hamburg');
    await query('update sim_live set plmn = 228001 where sim_id = $1', [sim.id]);
    expect(await seen()).toMatchObject({ operator: 'Swisscom', cell: null, town: null });
    await query('update sim_live set plmn = 262002 where sim_id = $1', [sim.id]);
    await query('update radius_sessions set cell = null where sim_id = $1', [sim.id]);
  });

  it('reports a changed device', async () => {
    await query(`update sims set imei_changed_at = '2026-11-20T08:00Z' where id = $1`, [sim.id]);
    await query(
      `insert into sim_events (sim_id, at, org_id, kind, facts)
       values ($1, '2026-11-20T08:00Z', $2, 'imei-changed', '{"from": "490154203237518"}')`,
      [sim.id, person.orgId],
    );
    const { data } = (await person.call(calls.run, { query: { iccid: sim.iccid } })).body;
    expect(checkOf(data, 'imei')).toMatchObject({
      light: 'warning',
      facts: { former: '490154203237518', changed_at: '2026-11-20T08:00:00.000Z' },
    });
    await query('update sims set imei_changed_at = null where id = $1', [sim.id]);
  });

  it('requires the permission to see the SIM', async () => {
    for (const role of roles) {
      const own = (await query('select id, code, tenant_id as "tenantId" from organisations where id = $1', [
        person.orgId,
      ])) as { rows: { id: number; code: string; tenantId: string }[] };
      const [org] = own.rows;
      const client = org && (await signedInAs(test, role, org));
      expect((await client?.call(calls.run, { query: { iccid: sim.iccid } }))?.http).toBe(200);
      // A link that anyone can open may only be made by people who manage SIMs, not by those who may see them.
      const shared = await client?.call(calls.share, { body: { iccid: sim.iccid } });
      expect(shared?.body.status.code).toBe(role.includes('admin') ? 'CB-00-0000' : 'CB-01-0014');
    }
    for (const [client, http, code] of [
      [stranger, 404, 'CB-01-0001'],
      [nobody, 401, 'CB-00-0401'],
    ] as const) {
      const read = await client.call(calls.run, { query: { iccid: sim.iccid } });
      const shared = await client.call(calls.share, { body: { iccid: sim.iccid } });
      expect([read.http, read.body.status.code]).toEqual([http, code]);
      expect([shared.http, shared.body.status.code]).toEqual([http, code]);
    }
  });
});

describe('a diagnosis as a file', () => {
  it('is a PDF in the language of the request, without a shared link', async () => {
    const storedLinks = async () => [
      (await query('select count(*) from diagnose_links')).rows,
      (await query('select count(*) from audit_entries')).rows,
    ];
    const before = await storedLinks();
    for (const [language, title, sentence] of [
      ['en-US', 'SIM diagnosis', 'The card is in the inventory.'],
      ['zh-CN', 'SIM 卡诊断', '卡片在库存中。'],
      ['zh-TW', 'SIM 卡診斷', '卡片在庫存中。'],
      ['es-ES', 'Diagnóstico de la SIM', 'La tarjeta está en el inventario.'],
    ] as const) {
      const response = await ownPdf(person, language);
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'cache-control': 'no-store',
      });
      expect(response.headers['content-disposition']).toContain(`diagnose-${sim.iccid}-2026-11-21.pdf`);
      const { text } = readPdf(response.rawPayload);
      expect(text).toContain(title);
      expect(text).toContain(sentence);
    }
    expect(await storedLinks()).toEqual(before);
  });

  it('requires the permission to see the SIM', async () => {
    for (const [client, iccid, http, code] of [
      [stranger, sim.iccid, 404, 'CB-01-0001'],
      [nobody, sim.iccid, 401, 'CB-00-0401'],
      [person, '89860000000000000000', 404, 'CB-01-0001'],
      [person, 'no', 400, 'CB-00-0400'],
    ] as const) {
      const response = await ownPdf(client, 'en-US', iccid);
      expect([response.statusCode, response.json().status.code]).toEqual([http, code]);
    }
  });
});

describe('a shared report', () => {
  it('is read without a session, as created, in the language of the reader', async () => {
    const { id, expires_at, report } = await share();
    expect(id).toMatch(/^[\w-]{43}$/);
    // The person who shares it sees the same.
    const inEnglish = await nobody.call(calls.readShared, { params: { linkId: id } });
    expect(report).toEqual(inEnglish.body.data);
    expect(expires_at).toBe('2026-11-24T12:00:00.000Z');
    await query('update sims set lifecycle = 50 where id = $1', [sim.id]);
    const { http, body } = await nobody.call(
      calls.readShared,
      { params: { linkId: id } },
      { headers: { 'accept-language': 'es' } },
    );
    await query('update sims set lifecycle = 23 where id = $1', [sim.id]);
    expect([http, body.as_of]).toEqual([200, '2026-11-21T12:00:00.000Z']);
    expect(body.data).toMatchObject({ iccid: sim.iccid, overall: 'good', organisation: 'own Limited' });
    expect(checkOf(body.data, 'card')?.sentence).toBe('La tarjeta está en el inventario.');
    const text = JSON.stringify(body);
    for (const hidden of ['@example.test', 'tenant', 'imsi', 'msisdn', `"${person.orgId}"`]) {
      expect(text).not.toContain(hidden);
    }
  });

  it('is a PDF in the language of the request', async () => {
    const { id } = await share();
    for (const [language, title] of [
      ['en-US', 'SIM diagnosis'],
      ['zh-CN', 'SIM 卡诊断'],
      ['zh-TW', 'SIM 卡診斷'],
      ['es-ES', 'Diagnóstico de la SIM'],
    ] as const) {
      const response = await publicPdf(id, language);
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'cache-control': 'no-store',
      });
      expect(response.headers['content-disposition']).toContain(`diagnose-${sim.iccid}-2026-11-21.pdf`);
      expect(readPdf(response.rawPayload).text).toContain(title);
    }
  });

  it('is found by its id only, of which the database stores the hash', async () => {
    const { id } = await share();
    for (const linkId of [`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`, 'x'.repeat(43), `${id}=`]) {
      const { http, body } = await nobody.call(calls.readShared, { params: { linkId } });
      expect([http, body.status.code]).toEqual([404, 'CB-01-0019']);
      expect((await publicPdf(linkId, 'en-US')).statusCode).toBe(404);
    }
    const { rows } = await query('select * from diagnose_links');
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  it('is in the audit trail without its id, and each request creates another', async () => {
    const key = { headers: { 'idempotency-key': 'twice' } };
    const body = { iccid: sim.iccid };
    const once = await person.call(calls.share, { body }, key);
    const again = await person.call(calls.share, { body }, key);
    expect(again.body.data.id).not.toBe(once.body.data.id);
    const { rows } = await query(
      `select action, actor_id, subject_id, after from audit_entries where action = 'diagnose-link.made'
       order by number desc limit 1`,
    );
    expect(rows).toEqual([
      {
        action: 'diagnose-link.made',
        actor_id: person.userId,
        subject_id: sim.iccid,
        after: { expires_at: '2026-11-24T12:00:00.000Z' },
      },
    ]);
    const stored = await query('select answer::text from idempotent_requests');
    expect(JSON.stringify(stored.rows)).not.toContain(once.body.data.id);
  });

  it('is listed with its expiry, and opening it after a withdrawal says so', async () => {
    const { id: linkId, expires_at } = await share();
    const query = { iccid: sim.iccid };
    const listed = await person.call(calls.listLinks, { query });
    const [link] = listed.body.data;
    expect(link).toEqual({
      id: expect.stringMatching(/^\d+$/),
      made_at: '2026-11-21T12:00:00.000Z',
      expires_at,
    });
    const params = { shareId: link?.id ?? '' };
    for (const [client, http, code] of [
      [await signedInAs(test, 'operator', own), 403, 'CB-01-0014'],
      [stranger, 404, 'CB-00-0404'],
    ] as const) {
      const refused = await client.call(calls.withdraw, { params });
      expect([refused.http, refused.body.status.code]).toEqual([http, code]);
    }
    expect((await nobody.call(calls.readShared, { params: { linkId } })).http).toBe(200);

    // A repetition changes nothing.
    for (const _ of [1, 2]) expect((await person.call(calls.withdraw, { params })).http).toBe(200);
    const read = await nobody.call(calls.readShared, { params: { linkId } });
    expect([read.http, read.body.status.code, read.body.status.message]).toEqual([
      404,
      'CB-01-0025',
      'The link to this diagnose report was withdrawn.',
    ]);
    expect((await publicPdf(linkId, 'en-US')).json().status.code).toBe('CB-01-0025');
    const after = await person.call(calls.listLinks, { query });
    expect(after.body.data.map(({ id }) => id)).not.toContain(link?.id);
    // The report has been deleted completely.
    const storedLinks = await test.database.pool.query('select report from diagnose_links where id = $1', [
      link?.id,
    ]);
    expect(storedLinks.rows).toEqual([{ report: null }]);
    const { rows } = await test.database.pool.query(
      `select actor_id, subject_id, before, after from audit_entries where action = 'diagnose-link.withdrawn'`,
    );
    expect(rows).toEqual([
      { actor_id: person.userId, subject_id: sim.iccid, before: { expires_at }, after: null },
    ]);
  });

  it('is not found once the SIM belongs to another organisation', async () => {
    const { id: linkId } = await share();
    await query('update sims set org_id = $2 where id = $1', [sim.id, stranger.orgId]);
    const moved = await nobody.call(calls.readShared, { params: { linkId } });
    expect([moved.http, moved.body.status.code]).toEqual([404, 'CB-01-0019']);
    expect((await publicPdf(linkId, 'en-US')).statusCode).toBe(404);
    await query('update sims set org_id = $2 where id = $1', [sim.id, own.id]);
  });

  it('expires after three days, and is deleted', async () => {
    const { id } = await share();
    test.clock.set('2026-11-24T11:59:59Z');
    const open = await nobody.call(calls.readShared, { params: { linkId: id } });
    expect(open.http).toBe(200);
    test.clock.set('2026-11-24T12:00:00Z');
    const over = await nobody.call(calls.readShared, { params: { linkId: id } });
    expect([over.http, over.body.status.code]).toEqual([404, 'CB-01-0019']);
    const purge = test.wiring.jobs.find(({ job }) => job.name === 'diagnose.purge-links');
    await purge?.handle(
      {},
      {
        signal: new AbortController().signal,
        log: createLog({ level: 'silent', format: 'json' }),
        attempt: 1,
      },
    );
    expect((await query('select count(*) from diagnose_links')).rows).toEqual([{ count: 0 }]);
    test.clock.set('2026-11-21T12:00:00Z');
  });

  it('of an unknown version has expired', async () => {
    const { id } = await share();
    await query(
      `update diagnose_links set report = jsonb_set(report, '{findings,0,finding}', '"of-another-time"')`,
    );
    expect((await nobody.call(calls.readShared, { params: { linkId: id } })).body.status.code).toBe(
      'CB-01-0019',
    );
  });
});
