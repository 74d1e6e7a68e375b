import { allEndpoints, type EndpointShape, endpoints, headers, type RequestOf } from '@simcube/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateMonth } from '../modules/report/index.ts';
import { type TestApp, testApp } from '../testing/app.ts';
import { makeRule } from '../testing/autoflow-rules.ts';
import { makeBill } from '../testing/bills.ts';
import { importRecords } from '../testing/cdrs.ts';
import { type DetailedSim, makeDetailedSim } from '../testing/details.ts';
import { runJobs } from '../testing/jobs.ts';
import { storeMessages } from '../testing/messages.ts';

const { sim, sms, schedule, task, audit, autoflow, bundle, cdr, diagnose, finance, heatmap, report } =
  endpoints;

type FileCall = Partial<RequestOf<EndpointShape>>;

let test: TestApp;
let one: DetailedSim;
let scheduleId: string;
let ruleId: string;
let billId: string;

beforeAll(async () => {
  test = await testApp();
  one = await makeDetailedSim(test);
  // Text that must be quoted and contains line breaks.
  await test.database.pool.query(`update sims set notes = $2, device_name = $3 where id = $1`, [
    one.id,
    'two\nlines, "quoted"\r\nand three',
    'pump "7"',
  ]);
  const { rows } = await test.database.pool.query('select org_id as "orgId" from sims where id = $1', [
    one.id,
  ]);
  billId = String(await makeBill(test.database.pool, { orgId: rows[0].orgId, simIds: [one.id] }));
  await one.admin.call(report.setPreferences, {
    body: { kinds: ['sim-usage'], formats: ['csv'], language: 'en-US', time_zone: 'UTC', notify: [] },
  });
  await importRecords(test, [
    { iccid: one.iccid, ended_at: '2026-11-21T07:00:00Z', mcc: '262', mnc: '02', cell: '262-02-7' },
  ]);
  const before = new Date(test.clock.now().getTime() + 1);
  await generateMonth(test.database.pool, { month: '2026-10', now: test.clock.now(), before });
  const message = { at: '2026-11-21T08:00:00Z', content: 'a\n"b"' };
  await storeMessages(test.database.pool, { simId: one.id, orgId: rows[0].orgId, ...message });
  const scheduled = await test.database.pool.query(
    `with made as (
       insert into schedules (org_id, name, content, timing, time_zone, only_failures, enabled, created_at, updated_at)
       values ($1, 'once', 'a', '{"mode": "once", "at": "2026-12-01T09:00"}', 'UTC', false, false, $2, $2) returning id)
     insert into schedule_sims (schedule_id, sim_id, iccid) select id, $3, $4 from made returning schedule_id::text as id`,
    [rows[0].orgId, test.clock.now(), one.id, one.iccid],
  );
  scheduleId = scheduled.rows[0].id;
  const trigger = { kind: 'silent', hours: 1 } as const;
  ruleId = String(
    await makeRule(test.database.pool, { orgId: rows[0].orgId }, { trigger, armedAt: test.clock.now() }),
  );
});
afterAll(() => test.close());

/** Every call that returns a file that may be CSV, and how to request CSV. */
const files: Record<string, () => FileCall> = {
  [sim.statusTraceDownload.id]: () => ({ query: { iccid: one.iccid } }),
  [bundle.exportOrders.id]: () => ({ body: { iccid: one.iccid } }),
  [bundle.exportCycles.id]: () => ({ body: { iccid: one.iccid } }),
  [bundle.exportCoverage.id]: () => ({
    body: { iccid: one.iccid, from: '2026-10-01', to: '2026-11-21' },
  }),
  [sim.usageExport.id]: () => ({ body: { iccid: one.iccid, from: '2026-11-01', to: '2026-11-21' } }),
  [sim.transferTemplate.id]: () => ({ params: { format: 'csv' } }),
  [sim.uploadInfoTemplate.id]: () => ({ params: { format: 'csv' } }),
  [finance.download.id]: () => ({ params: { billId }, query: { content: 'sims' } }),
  [report.download.id]: () => ({ params: { month: '2026-10', kind: 'sim-usage' } }),
  [audit.export.id]: () => ({ body: {} }),
  [sms.download.id]: () => ({ body: { filter: {} } }),
  [sms.sendTemplate.id]: () => ({ query: { format: 'csv' } }),
  [schedule.downloadSims.id]: () => ({ query: { scheduleId } }),
  [autoflow.downloadSims.id]: () => ({ params: { ruleId } }),
  [heatmap.cellsFile.id]: () => ({ query: { country: 'DE', from: '2026-11-01', to: '2026-11-21' } }),
  [autoflow.scopeFileTemplate.id]: () => ({ params: { kind: 'imeis' } }),
};
const noCsv = [
  diagnose.pdf.id,
  diagnose.sharedPdf.id,
  finance.pdf.id,
  finance.previewPdf.id,
  report.downloadSeveral.id,
];

/** Work whose report is a file, by type of task, and the call that orders it. */
const works: Record<string, () => Promise<string>> = {
  'sim-export': async () => {
    const body = { selection: { filter: {} }, format: 'csv' } as const;
    return (await one.admin.call(sim.exportList, { body })).body.data.reference_id;
  },
  'cdr-export': async () => {
    await importRecords(test, [{ iccid: one.iccid, ended_at: '2026-11-21T08:00:00Z' }]);
    const params = { partnerCode: 'acme', format: 'csv' } as const;
    return (await one.admin.call(cdr.exportAll, { params, body: { filter: {} } })).body.data.reference_id;
  },
  'service-export': async () => {
    const body = { filter: {}, format: 'csv' } as const;
    return (await one.admin.call(bundle.exportList, { body })).body.data.reference_id;
  },
  'sms-mt-report': async () =>
    (await one.admin.call(sms.reportMt, { body: { filter: {} } })).body.data.reference_id,
  'sms-mo-report': async () =>
    (await one.admin.call(sms.reportMo, { body: { filter: {} } })).body.data.reference_id,
};

const ask = async (endpoint: EndpointShape, { params = {}, query = {}, body }: FileCall, more = {}) => {
  const request = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name] ?? '')),
  );
  const answer = await test.app.inject({
    method: endpoint.method,
    url: request,
    query: query as Record<string, string>,
    headers: { ...one.admin.headers, ...more },
    ...(body !== undefined && { payload: body as object }),
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  return answer.rawPayload.toString();
};

const reportOf = async (reference: string): Promise<string> => {
  await runJobs(test.database, test.wiring.jobs);
  const { body } = await one.admin.call(task.makeDownloadToken, { query: { taskReference: reference } });
  return ask(
    task.download,
    { params: { taskReference: reference } },
    { [headers.oneTimeToken]: body.data.token },
  );
};

/** RFC 4180: records end with CRLF, including the last one; quoted parts are text. A byte order mark marks UTF-8. */
const expectCsv = (text: string): string[][] => {
  expect(text.startsWith('\u{feff}')).toBe(true);
  const callsOutside = text.replaceAll(/"[^"]*"/g, '');
  expect(callsOutside).not.toMatch(/[^\r]\n|\r[^\n]/);
  expect(callsOutside.endsWith('\r\n')).toBe(true);
  return parse(text, { bom: true, record_delimiter: '\r\n', relax_column_count: false }) as string[][];
};

describe('CSV files', () => {
  it('are all listed here', () => {
    const callsWithFiles = allEndpoints.filter(({ response }) => response === 'file').map(({ id }) => id);
    expect(new Set(callsWithFiles)).toEqual(new Set([...Object.keys(files), ...noCsv, task.download.id]));
    const types = test.wiring.fileWorks.map(({ type }) => type);
    expect(new Set(types as string[])).toEqual(new Set(Object.keys(works)));
  });

  it.each(Object.keys(files))('end their lines with CRLF: %s', async (id) => {
    const endpoint = allEndpoints.find((found) => found.id === id) as EndpointShape;
    expect(expectCsv(await ask(endpoint, files[id]?.() ?? {})).length).toBeGreaterThan(0);
  });

  it.each(Object.keys(works))('end their lines with CRLF: %s', async (type) => {
    const rows = expectCsv(await reportOf((await works[type]?.()) ?? ''));
    expect(rows.length).toBeGreaterThan(1);
    if (type === 'sim-export') expect(rows.flat()).toContain('two\nlines, "quoted"\r\nand three');
  });

  it('end their lines with CRLF: the report of a bulk task', async () => {
    const body = { selection: { iccids: [one.iccid] }, notes: 'x', preview: false };
    const ordered = await one.admin.call(sim.saveNote, { body });
    expect(expectCsv(await reportOf(ordered.body.data.task?.reference_id ?? ''))).toHaveLength(2);
  });
});
