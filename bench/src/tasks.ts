import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { writeTable } from '../../apps/server/src/platform/files/index.ts';
import { withClient } from './cluster.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { addFactDelay, watchFactDelay } from './fact-delay.ts';
import { type Fleet, orgCode, rareWord } from './fleet.ts';
import { startProduct } from './product.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';

const budgetSeconds = 60;
const budgetMs = 50;
const budgetCardMs = 100;
const pollMs = 250;
const idleRounds = 30;
const { sim, task, dashboard, org } = endpoints;

/** Screens that a person opens while a task runs. */
const screens = [
  { what: 'list, first page', budget: budgetMs, endpoint: sim.list, request: { body: { page_size: 50 } } },
  {
    what: 'search a rare name',
    budget: budgetMs,
    endpoint: sim.list,
    request: { body: { page_size: 50, search: rareWord } },
  },
  { what: 'task list', budget: budgetMs, endpoint: task.listMine, request: {} },
  { what: 'dashboard card', budget: budgetCardMs, endpoint: dashboard.card, request: {} },
] as const;

type Samples = Map<string, number[]>;

/**
 * An upload of SIM info and a transfer by file, as in the console: template, file, preview, apply, and polling every quarter of
 * a second until the task is done; and the speed of the console's calls during it. One process serves the calls and does the
 * work, which is the harder case.
 */
export const tasks = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet, cluster } = await run.bigFleet();
  await cluster.costliestStatements();
  const dataDir = join(fleet.dataDir, 'tasks');
  const product = await startProduct({ ...fleet, dataDir, roles: 'web,worker', profile: options.profile });
  try {
    const client = await signIn(product, fleet);
    const iccids = await findChangeable(fleet, options.batch);
    const idle = await browseScreens(client, { rounds: idleRounds });
    const setup = { run, client, fleet, iccids, idle };
    progress(`upload of info of ${iccids.length} SIMs`);
    const upload = () => uploadInfo(client, iccids);
    await measure(setup, { name: 'upload of info', work: upload, eventsPerSim: 1 });
    for (const line of await cluster.costliestStatements()) run.note(line);
    await verifyInfo(fleet, iccids);
    progress(`transfer of ${iccids.length} SIMs`);
    const target = await createTarget(client);
    const transferSims = () => transfer(client, { iccids, target: target.code });
    // One event for the previous organisation of a SIM, and one for the new one.
    await measure(setup, { name: 'transfer', work: transferSims, eventsPerSim: 2 });
    for (const line of await cluster.costliestStatements()) run.note(line);
    await verifyOwner({ fleet, iccids, target });
    run.note(
      `${iccids.length.toLocaleString('en-US')} SIMs of ${options.sims.toLocaleString('en-US')}, by file; the time from ` +
        'sending the file to the end of the task. The figures of the screens are 95th percentiles while it runs; ' +
        `baseline: the same before. Roles web and worker in one process.`,
    );
    run.note('Afterwards each SIM had what its row said, the new owner, and its events of each task once.');
  } finally {
    await product.stop();
  }
};

/** SIMs that may be changed, from the end of the list: other sections use those at the beginning. */
const findChangeable = (fleet: Fleet, max: number): Promise<string[]> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ iccid: string }>(
      `select iccid from sims where org_id = $1 and lifecycle = any($3) order by iccid desc
       limit least($2, (select count(*) / 2 from sims where org_id = $1))`,
      [
        fleet.orgId,
        max,
        [lifecycleNumbers['pre-activated'], lifecycleNumbers.active, lifecycleNumbers.paused],
      ],
    );
    return rows.map(({ iccid }) => iccid);
  });

/** Steps that a person waits for, in order. */
interface Steps {
  reference: string;
  /** Milliseconds. */
  parsed: number;
  accepted: number;
  worked: number;
  fileBytes: number;
}

const uploadInfo = async (client: ConsoleClient, iccids: readonly string[]): Promise<Steps> => {
  const params = { orgCode };
  const rows = iccids.map((iccid, index) => [iccid, nameOf(index), notesOf(index), tagsOf(index)]);
  const file = await fillTemplate(client, { template: sim.uploadInfoTemplate, name: 'info.csv', rows });
  const parsed = await client.call(sim.parseInfo, { params, file });
  const uploadId = uploadIdOf(parsed.response.data, iccids.length);
  const accepted = await client.call(sim.updateInfo, { params, body: { upload_id: uploadId } });
  const { reference_id: reference } = accepted.response.data as { reference_id: string };
  const times = { parsed: parsed.milliseconds, accepted: accepted.milliseconds };
  return {
    reference,
    ...times,
    worked: await waitForTask(client, reference),
    fileBytes: file.content.length,
  };
};

const transfer = async (
  client: ConsoleClient,
  { iccids, target }: { iccids: readonly string[]; target: string },
): Promise<Steps> => {
  const rows = iccids.map((iccid) => [iccid]);
  // At most one megabyte: this many ICCIDs fit into a workbook of that size, but not into a CSV file.
  const file = await fillTemplate(client, { template: sim.transferTemplate, name: 'transfer.xlsx', rows });
  const parsed = await client.call(sim.parseTransfer, { params: { targetCode: target }, file });
  const uploadId = uploadIdOf(parsed.response.data, iccids.length);
  const accepted = await client.call(sim.transfer, { body: { target_code: target, upload_id: uploadId } });
  const { task: startedTask } = accepted.response.data as { task: { reference_id: string } };
  const times = { parsed: parsed.milliseconds, accepted: accepted.milliseconds };
  const worked = await waitForTask(client, startedTask.reference_id);
  return { reference: startedTask.reference_id, ...times, worked, fileBytes: file.content.length };
};

const nameOf = (index: number): string => `Depot ${index}`;
const notesOf = (index: number): string => `Moved in, shelf ${index % 977}`;
const tagsOf = (index: number): string => `moved; lot-${index % 50}`;

/** The template, filled in below its headings; the note for people that follows them is left out. */
const fillTemplate = async (
  client: ConsoleClient,
  {
    template,
    name,
    rows,
  }: { template: Parameters<ConsoleClient['call']>[0]; name: string; rows: readonly string[][] },
): Promise<{ name: string; content: Uint8Array<ArrayBuffer> }> => {
  const empty = await client.download(template, { params: { format: 'csv' } });
  const [first = ''] = empty.toString().replace('\ufeff', '').split('\r\n', 1);
  const headings = first.split(',');
  const format = name.endsWith('.csv') ? 'csv' : 'xlsx';
  const chunks: Buffer[] = [];
  for await (const chunk of writeTable(format, tableRows(headings, rows))) chunks.push(chunk);
  return { name, content: new Uint8Array(Buffer.concat(chunks)) };
};

async function* tableRows(headings: string[], rows: readonly string[][]): AsyncIterable<string[]> {
  yield headings;
  yield* rows;
}

/** @throws Error unless the preview says that all of the file's SIMs will change */
const uploadIdOf = (data: unknown, sims: number): string => {
  const { upload_id: id, preview } = data as { upload_id: string; preview: { changing: number } };
  if (preview.changing !== sims) throw new Error(`The preview says ${preview.changing} of ${sims} SIMs`);
  return id;
};

/** @returns milliseconds until the task was seen to be done */
const waitForTask = async (client: ConsoleClient, reference: string): Promise<number> => {
  const begin = performance.now();
  for (;;) {
    const { response } = await client.call(task.getMine, { params: { taskReference: reference } });
    const { status } = response.data as { status: string };
    if (status === 'issues') throw new Error('The task ended with issues');
    if (status === 'done') return performance.now() - begin;
    await sleep(pollMs);
  }
};

interface TaskSetup {
  run: Run;
  client: ConsoleClient;
  fleet: Fleet;
  iccids: readonly string[];
  idle: Samples;
}

const measure = async (
  { run, client, fleet, iccids, idle }: TaskSetup,
  { name, work, eventsPerSim }: { name: string; work: () => Promise<Steps>; eventsPerSim: number },
): Promise<void> => {
  const watch = await watchFactDelay(fleet.databaseUrl);
  const stopping = new AbortController();
  const browsing = browseScreens(client, { signal: stopping.signal });
  let steps: Steps;
  let waits: Awaited<ReturnType<typeof watch.stop>>;
  try {
    steps = await work();
  } finally {
    stopping.abort();
    waits = await watch.stop();
  }
  const meanwhile = await browsing;
  const milliseconds = steps.parsed + steps.accepted + steps.worked;
  run.add({
    what: `${name} of ${iccids.length.toLocaleString('en-US')} SIMs`,
    measured: milliseconds / 1000,
    unit: 's',
    budget: `${budgetSeconds} s`,
    met: milliseconds <= budgetSeconds * 1000,
    details: {
      'file and preview, s': steps.parsed / 1000,
      'accepted, s': steps.accepted / 1000,
      'work, s': steps.worked / 1000,
      'file, bytes': steps.fileBytes,
    },
  });
  for (const { what, budget } of screens) {
    const [samples = [], before = []] = [meanwhile.get(what), idle.get(what)];
    const measured = quantile(samples, 0.95);
    run.add({
      what: `${what}, meanwhile`,
      measured,
      baseline: quantile(before, 0.95),
      unit: 'ms',
      budget: `${budget} ms`,
      met: measured <= budget,
      details: {
        'p50 ms': quantile(samples, 0.5),
        'longest ms': Math.max(...samples),
        calls: samples.length,
      },
    });
  }
  addFactDelay(run, `a fact waits at most, during the ${name}`, waits);
  await verifyEvents(fleet, { reference: steps.reference, sims: iccids.length, eventsPerSim });
};

/** Makes the console's calls in rotation, for a number of rounds or until stopped. */
const browseScreens = async (
  client: ConsoleClient,
  { rounds = Number.POSITIVE_INFINITY, signal }: { rounds?: number; signal?: AbortSignal },
): Promise<Samples> => {
  const samples: Samples = new Map(screens.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds && !signal?.aborted; round += 1) {
    for (const { what, endpoint, request } of screens) {
      samples.get(what)?.push((await client.call(endpoint, request)).milliseconds);
      await sleep(10);
    }
  }
  return samples;
};

const createTarget = async (client: ConsoleClient): Promise<{ code: string; tenantId: string }> => {
  const { response } = await client.call(org.create, {
    body: { name: `Bench Depot ${Date.now()}`, country: 'DE', sms_quota: { kind: 'inherit' } },
  });
  const { code, tenant_id: tenantId } = response.data as { code: string; tenant_id: string };
  return { code, tenantId };
};

const verifyInfo = (fleet: Fleet, iccids: readonly string[]): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const indexes = iccids.map((_, index) => index);
    const { rows } = await client.query<{ right: number }>(
      `select count(*)::float8 as right
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as row (iccid, name, notes, tags)
         join sims s using (iccid)
       where s.device_name = row.name and s.notes = row.notes and array_to_string(s.tags, '; ') = row.tags`,
      [iccids, indexes.map(nameOf), indexes.map(notesOf), indexes.map(tagsOf)],
    );
    expectCount('SIMs with what their row says', rows[0]?.right, iccids.length);
  });

/** Checks that each SIM has the events of the task exactly once, and that its row in the task is marked as done. */
const verifyEvents = (
  fleet: Fleet,
  { reference, sims, eventsPerSim }: { reference: string; sims: number; eventsPerSim: number },
): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<Record<'events' | 'different' | 'done', number>>(
      `select count(*)::float8 as events, count(distinct (sim_id, org_id))::float8 as different,
         (select count(*)::float8 from task_items where task_id = $2 and state = 1) as done
       from sim_events where task_id = $1`,
      [reference, Number(reference.slice(1))],
    );
    const [found] = rows;
    expectCount('events of the task', found?.events, sims * eventsPerSim);
    expectCount('different events of the task', found?.different, sims * eventsPerSim);
    expectCount('rows of the task that were done', found?.done, sims);
  });

const verifyOwner = async ({
  fleet,
  iccids,
  target,
}: {
  fleet: Fleet;
  iccids: readonly string[];
  target: { code: string };
}): Promise<void> => {
  await withClient(fleet.databaseUrl, async (database) => {
    const { rows } = await database.query<Record<'sims' | 'live' | 'counted', number>>(
      `select count(*)::float8 as sims, count(l.sim_id)::float8 as live,
         (select sum(sims)::float8 from org_sim_counts c where c.org_id = o.id) as counted
       from organisations o join sims s on s.org_id = o.id and s.iccid = any($2)
         left join sim_live l on l.sim_id = s.id and l.org_id = o.id
       where o.code = $1 group by o.id`,
      [target.code, iccids],
    );
    expectCount('SIMs of the new organisation', rows[0]?.sims, iccids.length);
    expectCount('live states of the new organisation', rows[0]?.live, iccids.length);
    expectCount('SIMs that the new organisation counts', rows[0]?.counted, iccids.length);
  });
};

const expectCount = (what: string, found: number | undefined, expected: number): void => {
  if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`);
};
