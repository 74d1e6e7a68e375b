import { allEndpoints, type EndpointShape, endpoints, headers } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../testing/app.ts';
import { makeBundle, makeSim } from '../testing/inventory.ts';
import { runJobs } from '../testing/jobs.ts';
import { leaveTraces, type OwnershipPeriod, traceValuesOf } from '../testing/ownership-traces.ts';
import { readPdf } from '../testing/pdf.ts';
import {
  callsWithoutHistory,
  dateRange,
  type ReadContext,
  type ReadRequest,
  reads,
} from '../testing/sim-reads.ts';

const { bundle, cdr, sim } = endpoints;

const callsWithIccid = /"(iccids?|selection)":/;
const mentionsSim = (schema: unknown): boolean =>
  schema instanceof z.ZodType &&
  callsWithIccid.test(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })));

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let branch: { id: number; code: string; tenantId: string };
let acmeAdmin: TestClient;
let branchAdmin: TestClient;
let card: { id: number; iccid: string };
let context: ReadContext;
let eras: { first: OwnershipPeriod; between: OwnershipPeriod; second: OwnershipPeriod };

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  acme = await makeOrganisation(test, { code: 'acme' });
  branch = await makeOrganisation(test, { code: 'branch' });
  acmeAdmin = await signedInAs(test, 'admin', acme);
  branchAdmin = await signedInAs(test, 'admin', branch);
  for (const [{ userId }, org] of [
    [acmeAdmin, branch],
    [branchAdmin, acme],
  ] as const) {
    await test.wiring.org.addMembership(pool, { userId, orgId: org.id, role: 'admin', oversight: false });
  }
  const bundleId = await makeBundle(pool, { code: 'CURRENT' });
  card = await makeSim(pool, acme.id, { bundleId, usedBytes: 5, limitBytes: 1000 });
  await pool.query(
    `update sim_live set cycle_started_at = '2026-10-31T16:00:00Z', cycle_ends_at = '2026-11-30T16:00:00Z' where sim_id = $1`,
    [card.id],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at) values ($1, $2, $3, 'in use', '2026-10-01')
     returning id::text`,
    [card.id, acme.id, bundleId],
  );
  context = {
    pools: [],
    poolEvents: [],
    rules: [],
    code: '',
    iccid: card.iccid,
    orderId: rows[0]?.id ?? '',
    from: '2026-11-20',
    to: '2026-11-22',
  };
  const era = (
    name: string,
    number: number,
    more: Omit<OwnershipPeriod, 'name' | 'number'>,
  ): OwnershipPeriod => ({
    name,
    number,
    ...more,
  });
  // Within one hour, because usage counted by hours and days must be distinguishable, too.
  eras = {
    first: era('FIRST', 1, {
      orgId: acme.id,
      at: '2026-11-21T12:10:00.000Z',
      country: 'DE',
      refusal: ['not-activated', 'the SIM is not activated'],
    }),
    between: era('BETWEEN', 2, {
      orgId: branch.id,
      at: '2026-11-21T12:30:00.000Z',
      country: 'FR',
      refusal: ['paused', 'the SIM is paused'],
    }),
    second: era('SECOND', 3, {
      orgId: acme.id,
      at: '2026-11-21T12:50:00.000Z',
      country: 'JP',
      refusal: ['terminated', 'the SIM is terminated'],
    }),
  };
});
afterAll(() => test.close());

/** The text of a response and of its file: the one in the response, or the one that the task made. */
const textOf = async (client: TestClient, endpoint: EndpointShape, request: ReadRequest): Promise<string> => {
  const parameters = (request.params ?? {}) as Record<string, string>;
  const answer = await test.app.inject({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(parameters[name] ?? ''),
    ),
    query: (request.query ?? {}) as Record<string, string>,
    headers: client.headers,
    ...(request.body !== undefined && { payload: request.body as object }),
  });
  if (answer.headers['content-type'] === 'application/pdf') return readPdf(answer.rawPayload).text;
  const reference = /"reference_id":"T(\d+)"/.exec(answer.payload)?.[1];
  if (reference === undefined) return `${answer.statusCode} ${answer.payload}`;
  await runJobs(test.database, test.wiring.jobs);
  const { rows } = await test.database.pool.query<{ content: Buffer }>(
    'select content from task_files where task_id = $1 order by part',
    [Number(reference)],
  );
  return `200 ${Buffer.concat(rows.map(({ content }) => content)).toString()}`;
};

/** What all reads of the SIM show of each period: `first sales`, … */
const shownTo = async (client: TestClient): Promise<Record<string, string[]>> => {
  const shown: Record<string, string[]> = {};
  for (const [id, { request }] of Object.entries(reads)) {
    const endpoint = allEndpoints.find((one) => one.id === id);
    if (!endpoint) throw new Error(`There is no call ${id}`);
    const code = client.headers[headers.partnerCode] ?? '';
    const texts = [];
    for (const one of [request({ ...context, code })].flat()) texts.push(await textOf(client, endpoint, one));
    const text = texts.join('\n');
    shown[id] = Object.values(eras).flatMap((era) =>
      Object.entries(traceValuesOf(era)).flatMap(([kind, mark]) =>
        text.includes(mark) ? [`${era.name} ${kind}`] : [],
      ),
    );
  }
  return shown;
};

const transfer = async (client: TestClient, target: string, at: string) => {
  test.clock.set(at);
  const { body: answer } = await client.call(sim.transfer, {
    body: { target_code: target, selection: { iccids: [card.iccid] }, preview: false },
  });
  expect(answer.status.code).toBe('CB-00-0000');
  await runJobs(test.database, test.wiring.jobs);
};

/** A moment later, so that no response is as of that very instant. */
const happen = async (era: OwnershipPeriod) => {
  await leaveTraces(test, card.id, era);
  const { rows } = await test.database.pool.query<{ pool: string; event: string }>(
    `select pool_id::text as pool, id::text as event from pool_events where kind = 'SIM enrollment'`,
  );
  const rules = await test.database.pool.query<{ id: string }>('select id::text from autoflow_rules');
  context = { ...context, rules: rules.rows.map(({ id }) => id) };
  context = { ...context, pools: rows.map((row) => row.pool), poolEvents: rows.map((row) => row.event) };
  test.clock.set(new Date(new Date(era.at).getTime() + 1000));
};

/** The day's usage as the screens show it: in the chart of the list, by hour, by day and by month. */
const usedBy = async (client: TestClient): Promise<number[]> => {
  const { body: list } = await client.call(sim.list, { body: { search: card.iccid } });
  const used = [list.data[0]?.week_bytes.at(-1) ?? Number.NaN];
  for (const granularity of ['hour', 'day', 'month'] as const) {
    const { body: usage } = await client.call(sim.usage, { query: { ...dateRange(context), granularity } });
    used.push(
      usage.data.total_bytes,
      usage.data.by_network.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  }
  return used;
};
const same = (bytes: number): number[] => Array.from({ length: 7 }, () => bytes);

/** Expects nothing from periods other than the own ones, and everything that the call should show from those. */
const expectOnly = (shown: Record<string, string[]>, own: readonly OwnershipPeriod[]) => {
  const names = own.map(({ name }) => name);
  const foreign = Object.entries(shown).flatMap(([id, marks]) =>
    marks.filter((mark) => !names.includes(mark.split(' ')[0] ?? '')).map((mark) => `${id}: ${mark}`),
  );
  expect(foreign).toEqual([]);
  const missing = Object.entries(reads).flatMap(([id, { all = [], kept = [], last = [] }]) => [
    ...own.flatMap(({ name }) => [...all, ...kept].map((kind) => `${id}: ${name} ${kind}`)),
    ...own.slice(-1).flatMap(({ name }) => last.map((kind) => `${id}: ${name} ${kind}`)),
  ]);
  const seen = new Set(Object.entries(shown).flatMap(([id, marks]) => marks.map((mark) => `${id}: ${mark}`)));
  expect(missing.filter((mark) => !seen.has(mark))).toEqual([]);
};

/** For a SIM that now belongs to another organisation: what stays with its former one, only from its own periods. */
const expectKept = (shown: Record<string, string[]>, own: readonly OwnershipPeriod[]) => {
  const kept = Object.entries(reads).map(([id, call]) => [
    id,
    own.flatMap(({ name }) => (call.kept ?? []).map((kind) => `${name} ${kind}`)).sort(),
  ]);
  // A record ended when the SIM was seen.
  const sorted = Object.entries(shown).map(([id, marks]) => [
    id,
    marks.filter((mark) => !own.some(({ name }) => mark === `${name} seen`)).sort(),
  ]);
  expect(Object.fromEntries(sorted)).toEqual(Object.fromEntries(kept));
};

describe('the history of a transferred SIM', () => {
  it('is tested for every call with a SIM in its request or response', () => {
    const ofSims = allEndpoints.filter(({ params: inPath, query: inQuery, body: inBody, response }) =>
      [inPath, inQuery, inBody, response].some(mentionsSim),
    );
    expect(ofSims.length).toBeGreaterThan(30);
    expect(ofSims.map(({ id }) => id).filter((id) => !(id in reads) && !(id in callsWithoutHistory))).toEqual(
      [],
    );
  });

  it('contains only what happened during the reader’s ownership', async () => {
    const { first, between, second } = eras;
    await happen(first);
    expectOnly(await shownTo(acmeAdmin), [first]);
    expect(await usedBy(acmeAdmin)).toEqual(same(1_000_003));

    await transfer(acmeAdmin, 'branch', '2026-11-21T12:20:00Z');
    expectOnly(await shownTo(branchAdmin), []);
    expect(await usedBy(branchAdmin)).toEqual(same(0));
    expectKept(await shownTo(acmeAdmin), [first]);

    await happen(between);
    expectOnly(await shownTo(branchAdmin), [between]);
    expect(await usedBy(branchAdmin)).toEqual(same(2_000_006));

    await transfer(branchAdmin, 'acme', '2026-11-21T12:40:00Z');
    expectOnly(await shownTo(acmeAdmin), [first]);

    await happen(second);
    expectOnly(await shownTo(acmeAdmin), [first, second]);
    expect(await usedBy(acmeAdmin)).toEqual(same(1_000_003 + 3_000_009));
    expectKept(await shownTo(branchAdmin), [between]);
  }, 60_000);

  it('opens only CDRs of the reader’s ownership, also after a transfer', async () => {
    for (const [client, own] of [
      [acmeAdmin, ['FIRST', 'SECOND']],
      [branchAdmin, ['BETWEEN']],
    ] as const) {
      for (const { name, at, number } of Object.values(eras)) {
        const recordId = `${card.iccid}-${Date.parse(at)}000-${number}`;
        const { body: answer } = await client.call(cdr.detail, { params: { recordId } });
        const isOwn = (own as readonly string[]).includes(name);
        expect([name, answer.status.code]).toEqual([name, isOwn ? 'CB-00-0000' : 'CB-01-0031']);
      }
    }
  });

  it('includes each transfer once, in lists and in the export', async () => {
    const { body: trace } = await acmeAdmin.call(sim.statusTrace, { query: { iccid: card.iccid } });
    const transfers = trace.data.filter(({ kind }) => kind === 'transferred');
    expect(transfers.map(({ at }) => at)).toEqual(['2026-11-21T12:40:00.000Z', '2026-11-21T12:20:00.000Z']);
    const file = await textOf(acmeAdmin, sim.statusTraceDownload, { query: { iccid: card.iccid } });
    expect(file.match(/acme; .*branch|branch; .*acme/g)).toHaveLength(2);
    const { body: events } = await acmeAdmin.call(sim.events, { query: { iccid: card.iccid } });
    expect(events.data.filter(({ kind }) => kind === 'transferred')).toHaveLength(2);
  });

  it('can’t be searched by what happened during another’s ownership', async () => {
    await transfer(acmeAdmin, 'branch', '2026-11-21T12:55:00Z');
    const found = async (client: TestClient, filter: Record<string, unknown>) =>
      (await client.call(sim.list, { body: filter })).body.data.map(({ iccid }) => iccid);
    const { first, between, second } = eras;
    for (const [filter, era] of [
      [{ last_session_from: second.at }, second],
      [{ search: traceValuesOf(second).imei }, second],
      [{ ip: traceValuesOf(second).ip }, second],
      [{ country: [second.country] }, second],
      [{ operator: ['999-01'] }, first],
      [{ imei_changed_within_days: 1, search: traceValuesOf(second).imei }, second],
    ] as const) {
      expect(await found(branchAdmin, filter), era.name).toEqual([]);
    }
    // This organisation sees again what it saw last, when the SIM belonged to it.
    expect(await found(branchAdmin, { country: [between.country] })).toEqual([card.iccid]);
    const past = await branchAdmin.call(bundle.detail, {
      params: { iccid: card.iccid, orderId: '2', bundleCode: 'FIRST-BUNDLE' },
    });
    expect(past.body.status.code).toBe('CB-02-0001');
  });
});
