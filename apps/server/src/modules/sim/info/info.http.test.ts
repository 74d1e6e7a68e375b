import { endpoints, headers, limits } from '@simcube/contract';
import { parse as parseCsv } from 'csv-parse/sync';
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
let other: { id: number };
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', acme);
});
afterAll(() => test.close());

const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const work = () => runJobs(test.database, test.wiring.jobs);
const parse = (content: string | Buffer, orgCode = 'acme') =>
  upload(test, admin, { endpoint: sim.parseInfo, params: { orgCode }, name: 'info.csv', content });
const update = (upload_id: string, orgCode = 'acme') =>
  admin.call(sim.updateInfo, { params: { orgCode }, body: { upload_id } });
/** The reasons of the report, as it is downloaded. */
const reasonsOf = async (reference: string, language = 'en-US') => {
  const { body } = await admin.call(task.makeDownloadToken, { query: { taskReference: reference } });
  const { payload } = await test.app.inject({
    url: `/public-sphere/rest/job/${reference}/download`,
    headers: { [headers.oneTimeToken]: body.data.token, 'accept-language': language },
  });
  return (parseCsv(payload, { bom: true, from: 2 }) as string[][]).map((cells) => cells[3]);
};
const info = async (iccid: string) =>
  (await test.database.pool.query('select device_name, notes, tags from sims where iccid = $1', [iccid]))
    .rows[0];

describe('an upload of SIM info', () => {
  it('reports errors by row and value, previews what would be saved, and saves valid rows', async () => {
    const a = await make({ deviceName: 'old name', notes: 'old note', tags: ['old'] });
    const b = await make({ deviceName: 'keeps', tags: ['x'] });
    const over = await make({ lifecycle: 'terminated' });
    const foreign = await makeSim(test.database.pool, other.id);
    const { body } = await parse(
      [
        'Etiquetas;ICCID;Nombre del dispositivo;Notas',
        `new|eu;${a.iccid};Pump 7;-`,
        `-;${b.iccid};;`,
        `;nobody;${'x'.repeat(61)};`,
        `;${a.iccid};twice;`,
        `;${over.iccid};name;`,
        `;${foreign.iccid};name;`,
        `good|much too long;${b.iccid};;`,
      ].join('\n'),
    );
    const { data } = body;
    expect(data).toMatchObject({ rows: 7, wrong_rows: 5, preview: { selected: 7, changing: 2 } });
    expect(data?.errors).toEqual([
      {
        row: 4,
        column: 'ICCID',
        value: 'nobody',
        code: 'CB-01-0021',
        message: 'An ICCID has 18 to 22 letters and digits',
      },
      {
        row: 4,
        column: 'Device name',
        value: `${'x'.repeat(60)}…`,
        code: 'CB-01-0030',
        message: 'At most 60 characters',
      },
      { row: 5, column: 'ICCID', value: a.iccid, code: 'CB-01-0020', message: 'Already in row 2' },
      {
        row: 6,
        column: 'ICCID',
        value: over.iccid,
        code: 'CB-01-0009',
        message: 'Operation not allowed for expired or terminated SIMs.',
      },
      {
        row: 7,
        column: 'ICCID',
        value: foreign.iccid,
        code: 'CB-01-0012',
        message: 'The ICCID does not belong to this organisation.',
      },
      { row: 8, column: 'ICCID', value: b.iccid, code: 'CB-01-0020', message: 'Already in row 3' },
      {
        row: 8,
        column: 'Tags',
        value: 'much too long',
        code: 'CB-01-0030',
        message: 'At most 10 characters',
      },
    ]);
    expect(data?.sample).toEqual([
      { iccid: a.iccid, device_name: 'Pump 7', notes: null, tags: ['new', 'eu'] },
      { iccid: b.iccid, device_name: 'keeps', notes: null, tags: [] },
    ]);
    const ordered = await update(data?.upload_id ?? '');
    expect(ordered.body.data?.quantity).toBe(7);
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
      'CB-01-0012',
      'CB-01-0020',
    ]);
    const told = [
      null,
      null,
      `ICCID “nobody”: An ICCID has 18 to 22 letters and digits · Device name “${'x'.repeat(60)}…”: At most 60 characters`,
      `ICCID “${a.iccid}”: Already in row 2`,
      'Operation not allowed for expired or terminated SIMs.',
      'The ICCID does not belong to this organisation.',
      `ICCID “${b.iccid}”: Already in row 3 · Tags “much too long”: At most 10 characters`,
    ];
    expect(items.body.data?.map(({ message }) => message)).toEqual(told);
    expect(await reasonsOf(reference)).toEqual(told.map((reason) => reason ?? ''));
    expect((await reasonsOf(reference, 'es-ES'))[3]).toMatch(/^ICCID «\d+»: /);
    expect((await update(data?.upload_id ?? '')).body.status.code).toBe('CB-09-0009');
  });

  it('applies to the current organisation', async () => {
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
      message: 'The columns do not match the template: ICCID, Device name, Notes, Tags.',
    });
  });

  it('needs a heading, also with a single row', async () => {
    const { iccid } = await make();
    for (const file of [`${iccid},Pump\n`, `May\nICCID,Notes\n${iccid},x\n`, `\nICCID,Notes\n${iccid},x\n`])
      expect((await parse(file)).body.status).toMatchObject({
        code: 'CB-09-0038',
        message: 'The first row must name the columns: ICCID, Device name, Notes, Tags.',
      });
  });

  it('with a column that is none of the template’s is refused, as its values would be lost', async () => {
    const { body } = await parse(`ICCID,Notes,Devcie name\n${(await make()).iccid},x,Pump\n`);
    expect(body.status).toMatchObject({
      code: 'CB-09-0004',
      message: 'The columns do not match the template: Devcie name.',
    });
  });

  it('in Windows-1252, as written by a Spanish spreadsheet, is saved with its characters', async () => {
    const { iccid } = await make();
    const heading = 'ICCID;Nombre del dispositivo;Notas;Etiquetas';
    const row = `${iccid};Cañón nº 3;¿Año 2026? 50 €, «ñandú»;niño`;
    const { body } = await parse(Buffer.from(`${heading}\r\n${row}\r\n`.replace('€', '\u0080'), 'latin1'));
    await update(body.data?.upload_id ?? '');
    await work();
    expect(await info(iccid)).toEqual({
      device_name: 'Cañón nº 3',
      notes: '¿Año 2026? 50 €, «ñandú»',
      tags: ['niño'],
    });
  });

  it('of more than 20 MB is refused', async () => {
    const row = `${(await make()).iccid},name,${'n'.repeat(400)}\n`;
    const content = `ICCID,Device name,Notes\n${row.repeat(Math.ceil(limits.upload.infoBytes / row.length))}`;
    const { http, body } = await parse(content);
    expect([http, body.status.code]).toEqual([413, 'CB-09-0002']);
    expect(body.status.message).toContain('20 MB');
  });

  it('may have 100,000 rows, valid and invalid', async () => {
    const known = await make();
    const rows = Array.from({ length: limits.upload.rows }, (_, n) =>
      n % 2 === 0 ? `wrong ${n},name,,` : `8986009800000${String(n).padStart(6, '0')},name,,`,
    );
    rows[rows.length - 1] = `${known.iccid},last,,a;b`;
    const { body } = await parse(`ICCID,Device name,Notes,Tags\n${rows.join('\n')}\n`);
    expect(body.data).toMatchObject({
      rows: limits.upload.rows,
      wrong_rows: limits.upload.rows - 1,
      preview: { changing: 1 },
    });
    expect(body.data?.errors).toHaveLength(100);
    await update(body.data?.upload_id ?? '');
    await work();
    expect(await info(known.iccid)).toMatchObject({ device_name: 'last', tags: ['a', 'b'] });
  }, 60_000);
});

describe('templates', () => {
  const templateOf = (of: 'uploadInfo' | 'transfer', format: string, language: string) =>
    test.app.inject({
      method: 'GET',
      url: `/cube/sim/${of}/template/${format}`,
      headers: { ...admin.headers, 'accept-language': language },
    });

  it.each([
    ['csv', 'en-US', ['ICCID', 'Device name', 'Notes', 'Tags'], 'a hyphen (-) to clear it'],
    ['xls', 'es-ES', ['ICCID', 'Nombre del dispositivo', 'Notas', 'Etiquetas'], 'un guion (-) para borrarlo'],
    ['xlsx', 'zh-CN', ['ICCID', '设备名称', '备注', '标签'], '填写连字符（-）则清除'],
  ])(
    'have the headings of the language and a note on how a field is cleared, and nothing to save: %s, %s',
    async (format, language, headings, clearing) => {
      const answer = await templateOf('uploadInfo', format, language);
      expect(answer.headers['content-disposition']).toContain(`sim-info.${format}`);
      const file = { name: `a.${format}`, content: answer.rawPayload };
      const [heading, note, ...others] = await readTable(file, { maxRows: 10 });
      expect(heading).toEqual(headings);
      expect(note?.[0]).toMatch(/^# /);
      expect(note?.[0]).toContain(clearing);
      expect(others).toEqual([]);
      const untouched = await upload(test, admin, {
        endpoint: sim.parseInfo,
        params: { orgCode: 'acme' },
        name: `info.${format}`,
        content: answer.rawPayload,
      });
      expect(untouched.body.status.code).toBe('CB-09-0007');
    },
  );

  it.each(['csv', 'xls', 'xlsx'])('of a transfer have ICCIDs alone: %s', async (format) => {
    const answer = await templateOf('transfer', format, 'en-US');
    const rows = readTable(
      { name: `a.${format}`, content: answer.rawPayload },
      { maxRows: 10, heading: false },
    );
    expect(await rows).toEqual([['ICCID']]);
  });
});
