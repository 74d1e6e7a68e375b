import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../../platform/files/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { upload } from '../../../testing/upload.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', acme);
});
afterAll(() => test.close());

const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const work = () => runJobs(test.database, test.wiring.jobs);
const parse = (content: string, orgCode = 'acme') =>
  upload(test, admin, { endpoint: sim.parseInfo, params: { orgCode }, name: 'info.csv', content });
const update = (upload_id: string, orgCode = 'acme') =>
  admin.call(sim.updateInfo, { params: { orgCode }, body: { upload_id } });
const info = async (iccid: string) =>
  (await test.database.pool.query('select device_name, notes, tags from sims where iccid = $1', [iccid]))
    .rows[0];

describe('an upload of SIM info', () => {
  it('tells what is wrong by row and column, what would be saved, and saves what is right', async () => {
    const a = await make({ deviceName: 'old name', notes: 'old note', tags: ['old'] });
    const b = await make({ deviceName: 'keeps', tags: ['x'] });
    const over = await make({ lifecycle: 'terminated' });
    const { body } = await parse(
      [
        'Etiquetas;ICCID;Nombre del dispositivo;Notas',
        `new|eu;${a.iccid};Pump 7;-`,
        `-;${b.iccid};;`,
        `;nobody;${'x'.repeat(61)};`,
        `;${a.iccid};twice;`,
        `;${over.iccid};name;`,
      ].join('\n'),
    );
    const { data } = body;
    expect(data).toMatchObject({ rows: 5, wrong_rows: 2, preview: { selected: 5, changing: 2 } });
    expect(data?.errors).toEqual([
      { row: 4, column: 'ICCID', code: 'CB-01-0021', message: 'Invalid ICCIDs' },
      { row: 4, column: 'Device name', code: 'CB-00-0400', message: 'At most 60 characters' },
      { row: 5, column: 'ICCID', code: 'CB-01-0020', message: 'Duplicate SIMs' },
    ]);
    expect(data?.sample.slice(0, 2)).toEqual([
      { iccid: a.iccid, device_name: 'Pump 7', notes: null, tags: ['new', 'eu'] },
      { iccid: b.iccid, device_name: 'keeps', notes: null, tags: [] },
    ]);
    const ordered = await update(data?.upload_id ?? '');
    expect(ordered.body.data?.quantity).toBe(5);
    await work();
    expect(await info(a.iccid)).toEqual({ device_name: 'Pump 7', notes: null, tags: ['new', 'eu'] });
    expect(await info(b.iccid)).toEqual({ device_name: 'keeps', notes: null, tags: [] });
    const reference = ordered.body.data?.reference_id ?? '';
    const items = await admin.call(task.listItems, { params: { taskReference: reference }, query: {} });
    expect(items.body.data?.map(({ code }) => code)).toEqual([
      null,
      null,
      'CB-01-0021',
      'CB-01-0020',
      'CB-01-0009',
    ]);
    expect((await update(data?.upload_id ?? '')).body.status.code).toBe('CB-09-0009');
  });

  it('is for the organisation that one works in', async () => {
    const file = `ICCID,Notes\n${(await make()).iccid},x\n`;
    expect((await parse(file, 'other')).body.status.code).toBe('CB-07-0029');
    const parsed = await parse(file);
    const upload_id = parsed.body.data?.upload_id ?? '';
    expect((await update(upload_id, 'other')).body.status.code).toBe('CB-07-0029');
    expect((await update(upload_id)).http).toBe(200);
    await work();
  });

  it('needs something to set besides the ICCID', async () => {
    const { body } = await parse(`ICCID\n${(await make()).iccid}\n`);
    expect(body.status).toMatchObject({
      code: 'CB-09-0004',
      message: 'The columns do not match the template: ICCID, Device name, Notes, Tags',
    });
  });

  it('may have a hundred thousand rows, good and bad', async () => {
    const known = await make();
    const rows = Array.from({ length: limits.upload.rows }, (_, n) =>
      n % 2 === 0 ? `wrong ${n},name,,` : `8986009800000${String(n).padStart(6, '0')},name,,`,
    );
    rows[rows.length - 1] = `${known.iccid},last,,a;b`;
    const { body } = await parse(`ICCID,Device name,Notes,Tags\n${rows.join('\n')}\n`);
    expect(body.data).toMatchObject({
      rows: limits.upload.rows,
      wrong_rows: limits.upload.rows / 2,
      preview: { changing: 1 },
    });
    expect(body.data?.errors).toHaveLength(100);
    await update(body.data?.upload_id ?? '');
    await work();
    expect(await info(known.iccid)).toMatchObject({ device_name: 'last', tags: ['a', 'b'] });
  }, 60_000);
});

describe('templates', () => {
  it.each([
    ['csv', 'en-US', ['ICCID', 'Device name', 'Notes', 'Tags']],
    ['xlsx', 'zh-CN', ['ICCID', '设备名称', '备注', '标签']],
  ] as const)(
    'are empty files with the headings of the language: %s, %s',
    async (format, language, headings) => {
      const answer = await test.app.inject({
        method: 'GET',
        url: `/cube/sim/uploadInfo/template/${format}`,
        headers: { ...admin.headers, 'accept-language': language },
      });
      expect(answer.statusCode).toBe(200);
      const file = { name: `a.${format}`, content: answer.rawPayload };
      await expect(readTable(file, { maxRows: 10 })).rejects.toMatchObject({
        refusal: { code: 'CB-09-0007' },
      });
      if (format === 'csv') expect(answer.body).toBe(`\u{feff}${headings.join(',')}\r\n`);
    },
  );

  it('of a transfer have ICCIDs alone', async () => {
    const answer = await test.app.inject({
      method: 'GET',
      url: '/cube/sim/transfer/template/csv',
      headers: admin.headers,
    });
    expect(answer.body).toBe('\u{feff}ICCID\r\n');
  });
});
