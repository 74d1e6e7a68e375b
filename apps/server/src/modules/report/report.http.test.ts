import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipArchive } from '../../platform/files/index.ts';
import { expectFailure } from '../../testing/accounts.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { unzip } from '../../testing/archive.ts';
import { publishedMonth } from '../../testing/bills.ts';
import { makeSim } from '../../testing/inventory.ts';
import { makeReports } from '../../testing/reports.ts';
import { findFiles, partsOf } from './reports.views.ts';

const { report } = endpoints;

let test: TestApp;
let admin: TestClient;
let reader: TestClient;
let stranger: TestClient;
let iccid: string;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  const other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  [admin, reader, stranger] = [
    await signedInAs(test, 'admin', acme),
    await signedInAs(test, 'user', acme),
    await signedInAs(test, 'admin', other),
  ];
  ({ iccid } = await makeSim(pool, acme.id, {}));
  await pool.query("update sims set created_at = '2026-09-01'");
  await publishedMonth(pool, { orgId: acme.id });
  await makeReports(pool, { orgId: acme.id, kinds: ['inventory', 'sms', 'cost'] });
  await admin.call(endpoints.account.changePermission, {
    params: { userId: reader.userId, key: 'sim-report-cube' },
    body: { actions: ['read'] },
  });
});
afterAll(() => test.close());

const kindsFor = async (client: TestClient): Promise<string[]> => {
  const asked = { params: { orgCode: 'ACME' }, body: { preview: true } };
  return (await client.call(report.list, asked)).body.data.map(({ kind }) => kind);
};
const archiveFor = async (client: TestClient): Promise<Map<string, string>> => {
  const { rawPayload } = await test.app.inject({
    method: 'POST',
    url: report.downloadSeveral.path,
    headers: { ...client.headers, 'content-type': 'application/json' },
    payload: { months: ['2026-10'] },
  });
  return new Map([...unzip(rawPayload)].filter(([path]) => path.endsWith('.csv')));
};

describe('reports', () => {
  it('are listed with figures and first rows, those of cost only for those who may see bills', async () => {
    expect(new Set(await kindsFor(admin))).toEqual(new Set(['cost', 'inventory', 'sms']));
    expect(new Set(await kindsFor(reader))).toEqual(new Set(['inventory', 'sms']));
  });

  it('are files, single or in an archive that other programs read', async () => {
    const alone = await test.app.inject({
      url: '/cube/report/2026-10/inventory/download',
      headers: admin.headers,
    });
    expect(alone.headers['content-disposition']).toContain('inventory-2026-10.csv');
    expect(alone.payload).toContain(iccid);
    expect(alone.headers['content-length']).toBe(String(alone.rawPayload.length));
    const archive = await archiveFor(admin);
    const names = [...archive.keys()].map((path) => path.split('/').slice(-2).join('/'));
    expect(new Set(names)).toEqual(
      new Set(['cost', 'inventory', 'sms'].map((kind) => `2026-10/${kind}-2026-10.csv`)),
    );
    const inventory = [...archive].find(([path]) => path.endsWith('/inventory-2026-10.csv'))?.[1];
    expect(inventory).toBe(alone.payload);
    expect([...(await archiveFor(reader)).keys()].some((path) => path.includes('cost'))).toBe(false);
  });

  it('that are deleted while they are downloaded do not end as if they were complete', async () => {
    const { pool } = test.database;
    const [file] = await findFiles(pool, { orgId: admin.orgId, months: ['2026-10'], kinds: ['sms'] });
    if (!file) throw new Error('There is no such report');
    await pool.query('delete from report_parts where report_id = $1', [file.reportId]);
    const read = async (content: AsyncIterable<unknown>) => {
      for await (const _ of content);
    };
    await expect(read(partsOf(pool, file))).rejects.toThrow('was deleted while it was read');
    const entry = { name: 'sms.csv', at: test.clock.now(), content: partsOf(pool, file) };
    await expect(read(zipArchive([entry]))).rejects.toThrow('was deleted while it was read');
  });

  it('of cost can’t be downloaded without the permission to see bills', async () => {
    const params = { month: '2026-10', kind: 'cost' } as const;
    expectFailure(await reader.call(report.download, { params }), 'CB-09-0031');
  });

  it('of an invalid month are refused', async () => {
    const month = '0000-01';
    expectFailure(
      await admin.call(report.list, { params: { orgCode: 'ACME' }, body: { month } }),
      'CB-00-0400',
    );
  });

  it('belong to the own organisation', async () => {
    const params = { orgCode: 'ACME' };
    expectFailure(await stranger.call(report.list, { params, body: {} }), 'CB-07-0029');
    expectFailure(await stranger.call(report.hasConfig, { params }), 'CB-07-0029');
    const file = { month: '2026-10', kind: 'inventory' } as const;
    expectFailure(await stranger.call(report.download, { params: file }), 'CB-09-0031');
  });
});

describe('preferences', () => {
  const wanted = {
    kinds: ['sim-usage' as const],
    formats: ['csv' as const, 'xlsx' as const],
    language: 'es-ES' as const,
    time_zone: 'Europe/Madrid',
    notify: [],
  };

  it('are changed only by administrators, and read by those who may see reports', async () => {
    const refused = await reader.call(report.setPreferences, { body: wanted });
    expectFailure(refused, 'CB-01-0014');
    expect(refused.body.status.message).toBe('Only administrators are allowed to perform this operation');
    const set = await admin.call(report.setPreferences, { body: wanted });
    expect(set.body.data).toMatchObject({ kinds: ['sim-usage'], time_zone: 'Europe/Madrid' });
    expect((await reader.call(report.preferences, { body: {} })).body.data).toMatchObject(wanted);
  });

  it('accept only address groups of the own organisation', async () => {
    const body = { ...wanted, notify: ['123456'] };
    expectFailure(await admin.call(report.setPreferences, { body }), 'CB-09-0017');
  });

  it('without kinds mean that no reports are due', async () => {
    const has = async () => (await admin.call(report.hasConfig, { params: { orgCode: 'ACME' } })).body.data;
    expect(await has()).toBe(true);
    await admin.call(report.setPreferences, { body: { ...wanted, kinds: [] } });
    expect(await has()).toBe(false);
  });
});
