import { endpoints, headers as names } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { readTable } from '../../../platform/files/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeBundle, makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { bindTariff } from '../../price/index.ts';
import { applyTariffs } from '../../price/tariffs/tariffs.service.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let user: TestClient;
let sims: { id: number; iccid: string }[];

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  user = await signedInAs(test, 'user', acme);
  const { pool } = test.database;
  await pool.query(
    `insert into networks values (262002, '262', '02', 'Vodafone', 'DE') on conflict do nothing`,
  );
  const bundleId = await makeBundle(pool, { code: 'EU5' });
  sims = [
    await makeSim(pool, acme.id, {
      deviceName: '=HYPERLINK("http://evil")',
      notes: 'two\nlines, "quoted"',
      tags: ['-a', 'b'],
      bundleId,
      plmn: 262002,
      connection: 'online',
      usedBytes: 820,
      limitBytes: 1000,
      activatedAt: '2026-03-01T23:30:00Z',
    }),
    await makeSim(pool, acme.id, { lifecycle: 'paused', deviceName: '水泵' }),
    await makeSim(pool, acme.id, { lifecycle: 'pre-activated' }),
  ];
  await pool.query(`update sim_live set held_until = '2026-12-01' where sim_id = any($1)`, [
    [sims[1]?.id, sims[2]?.id],
  ]);
  await pool.query('update sim_live set radio = 8 where sim_id = $1', [sims[0]?.id]);
  await pool.query('update sims set sms_suspended = true where id = $1', [sims[1]?.id]);
  await makeSim(pool, (await makeOrganisation(test, { code: 'other' })).id);
});
afterAll(() => test.close());

const order = async (
  body: { selection: SimSelection; format: 'csv' | 'xlsx' },
  headers: Record<string, string> = {},
) => user.call(sim.exportList, { body }, { headers });
const made = async (
  body: { selection: SimSelection; format: 'csv' | 'xlsx' },
  headers: Record<string, string> = {},
) => {
  const answer = await order(body, headers);
  const reference = answer.body.data?.reference_id ?? '';
  await runJobs(test.database, test.wiring.jobs);
  const { body: shown } = await user.call(task.getMine, { params: { taskReference: reference } });
  const { rows } = await test.database.pool.query<{ content: Buffer }>(
    'select content from task_files where task_id = $1 order by part',
    [Number(reference.slice(1))],
  );
  return { task: shown.data, content: Buffer.concat(rows.map(({ content }) => content)) };
};

describe('an export of SIMs', () => {
  it('is a file of the task, in the language and time zone of its person', async () => {
    const headers = { 'accept-language': 'es-ES', [names.timeZone]: 'Europe/Madrid' };
    const { task: ended, content } = await made({ selection: { filter: {} }, format: 'csv' }, headers);
    expect(ended).toMatchObject({
      type: 'sim-export',
      status: 'done',
      quantity: 3,
      report: { file_name: 'sims-2026-11-21.csv', bytes: content.length },
    });
    const [first, second, third] = parse(content, { bom: true, columns: true }) as Record<string, string>[];
    expect(Object.keys(first ?? {}).at(-1)).toBe('SMS A2P MT');
    expect(first).toMatchObject({
      ICCID: sims[0]?.iccid,
      'Nombre del dispositivo': `'=HYPERLINK("http://evil")`,
      Notas: 'two\nlines, "quoted"',
      Etiquetas: `'-a; b`,
      'Ciclo de vida': 'Activa',
      Datos: 'Disponibles',
      'Tipo de radio': 'Otro',
      'SMS A2P MT': 'no suspendidos',
      País: 'DE',
      Operador: 'Vodafone',
      Plan: 'EU5 bundle',
      'Consumo del ciclo (bytes)': '820',
      'Límite (bytes)': '1000',
      'Activación (Europe/Madrid)': '2026-03-02 00:30:00',
    });
    expect(second).toMatchObject({
      'SMS A2P MT': 'suspendidos',
      'Nombre del dispositivo': '水泵',
      Datos: '',
      País: '',
    });
    expect(third).toMatchObject({ 'Ciclo de vida': 'Preactivada', Datos: 'Detenidos' });
  });

  it('can be a workbook with unchanged texts', async () => {
    const { content } = await made({ selection: { iccids: [sims[0]?.iccid ?? ''] }, format: 'xlsx' });
    const rows = await readTable({ name: 'a.xlsx', content }, { maxRows: 10 });
    expect(rows).toHaveLength(2);
    const [heading = [], row = []] = rows;
    const cell = (name: string) => row[heading.indexOf(name)];
    expect([cell('ICCID'), cell('Device name'), cell('Cycle usage (bytes)'), cell('Tags')]).toEqual([
      sims[0]?.iccid,
      '=HYPERLINK("http://evil")',
      '820',
      '-a; b',
    ]);
  });

  it('says what the cycles have cost, and of SIMs without a price nothing', async () => {
    const { pool } = test.database;
    const now = test.clock.now();
    await makePricedBundles(pool);
    const by = { actor: operatorActor(), at: now };
    await inTransaction(pool, async (tx) => {
      const versions = [{ starts_on: '2026-01-01', bundles: { EU: { activation: '1', cycle: '4.90' } } }];
      await applyTariffs(tx, [tariff({ versions })], by);
      await bindTariff(tx, { organisation: acme.code, tariff: 'standard', from: '2026-01-01' }, by);
    });
    const { iccid } = await makeSimWithBundles(test, { orgId: acme.id, now });
    for (const [format, amount] of [
      ['csv', '5.90'],
      ['xlsx', '5.9'],
    ] as const) {
      const iccids = [iccid, sims[1]?.iccid ?? ''];
      const { content } = await made({ selection: { iccids }, format });
      const [heading = [], ...rows] = await readTable({ name: `a.${format}`, content }, { maxRows: 10 });
      const costs = rows.map((row) =>
        ['ICCID', 'Cost of the cycle', 'Currency'].map((name) => row[heading.indexOf(name)] ?? ''),
      );
      expect(new Set(costs)).toEqual(
        new Set([
          [iccid, amount, 'EUR'],
          [iccids[1], '', ''],
        ]),
      );
    }
  });

  it('of no SIMs, or of another organisation’s, is refused', async () => {
    const none = await order({ selection: { filter: { search: 'no such thing' } }, format: 'csv' });
    expect([none.http, none.body.status.code, none.body.status.message]).toEqual([
      409,
      'CB-09-0010',
      'No data to export.',
    ]);
    const foreign = await order({ selection: { iccids: ['8986009999999999999'] }, format: 'csv' });
    expect(foreign.body.status.code).toBe('CB-09-0010');
  });

  it('of more than 100,000 SIMs is refused', async () => {
    const big = await makeOrganisation(test, { code: 'big' });
    const person = await signedInAs(test, 'user', big);
    await test.database.pool.query(
      `insert into sims (org_id, iccid, imsi) select $1, '894900' || lpad(n::text, 13, '0'), '26299' || lpad(n::text, 10, '0')
       from generate_series(1, 100001) n`,
      [big.id],
    );
    const { http, body } = await person.call(sim.exportList, {
      body: { selection: { filter: {} }, format: 'csv' },
    });
    expect([http, body.status.code, body.status.message]).toEqual([
      409,
      'CB-09-0011',
      'An export over 100000 items is not supported.',
    ]);
  }, 60_000);
});
