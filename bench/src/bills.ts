import { endpoints } from '@simcube/contract';
import { billedMonth, fillBigBill, fillBillingData } from './bill-data.ts';
import { startCluster, withClient } from './cluster.ts';
import type { ConsoleClient } from './console-client.ts';
import { type Fleet, iccidOf, makeFleet } from './fleet.ts';
import { peakBytesOf } from './processes.ts';
import { runSimcubeMeasured } from './product.ts';
import type { Run } from './run.ts';
import { callNote, measureCall, type TimedCall, withConsole } from './timed-calls.ts';

const simsPerOrganisation = 1000;
const budgets = { draftSeconds: 120, draftMegabytes: 300, callMs: 100 };
const months = 24;

/** A month of bills: drafts from the counters, and the screens of a bill of all SIMs. */
export const bills = async (run: Run): Promise<void> => {
  const { sims } = run.options;
  const organisations = Math.max(1, Math.round(sims / simsPerOrganisation));
  const cluster = await startCluster({ trackStatements: run.options.statements });
  try {
    const fleet = await makeFleet(cluster, { database: 'bills', pastDays: 62 });
    run.progress(
      `filling ${sims.toLocaleString('en-US')} SIMs of ${organisations.toLocaleString('en-US')} organisations`,
    );
    await fillBillingData(fleet, { sims, organisations });
    await cluster.settle();
    await cluster.costliestStatements();
    for (const round of ['drafts', 'drafts, computed again']) await measureDrafts(run, fleet, round);
    for (const line of await cluster.costliestStatements()) run.note(line);
    await checkDrafts(run, fleet);
    run.progress('filling a bill of all SIMs');
    await fillBigBill(fleet, { months });
    await cluster.settle();
    const [bill = '', previous = ''] = await newestBills(fleet);
    await withConsole(run, { fleet, name: 'console' }, async (client) => {
      for (const call of calls(sims, bill))
        await measureCall(run, client, { call, budget: { ms: budgets.callMs } });
    });
    await withConsole(run, { fleet, name: 'files' }, async (client, { pid }) => {
      for (const format of ['csv', 'xlsx']) await measureFile(run, { client, pid, billId: previous, format });
    });
    run.note(callNote);
  } finally {
    await cluster.stop();
  }
};

const measureDrafts = async (run: Run, fleet: Fleet, what: string): Promise<void> => {
  run.progress(what);
  const startedAt = performance.now();
  const { peakBytes, cpuSeconds } = await runSimcubeMeasured(fleet, {
    args: ['bills', 'draft', '--month', billedMonth().month],
    profile: run.options.profile,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const megabytes = peakBytes / 1e6;
  run.add({
    what,
    measured: seconds,
    unit: 's',
    budget: `${budgets.draftSeconds} s`,
    met: seconds <= budgets.draftSeconds,
    details: { 'SIMs a second': Math.round(run.options.sims / seconds), 'CPU s of the command': cpuSeconds },
  });
  run.add({
    what: `${what}: resident at most`,
    measured: megabytes,
    unit: 'MB',
    budget: `${budgets.draftMegabytes} MB`,
    met: megabytes <= budgets.draftMegabytes,
  });
};

/** Checks that every SIM's cycle is charged once, and that lines and totals are the sums of their parts. */
const checkDrafts = (run: Run, fleet: Fleet): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ cycles: number; lines: number; unlike: number }>(
      `select (select sum(quantity)::int from bill_lines where kind = 'cycle') as cycles,
         (select count(*)::int from bill_lines) as lines,
         (select count(*)::int from bills b where total_minor <> (
            select sum(amount_minor) from bill_lines where bill_id = b.id))
         + (select count(*)::int from (
            select bill_id, line, sum(quantity) as quantity from bill_charges group by 1, 2) c
            full join bill_lines n using (bill_id, line) where c.quantity is distinct from n.quantity) as unlike`,
    );
    const result = rows[0];
    if (result?.cycles !== run.options.sims || result.unlike > 0)
      throw new Error(`The drafts are wrong: ${JSON.stringify(result)}`);
    run.note(
      `${result.lines} lines; each SIM's cycle is charged once, lines and totals are the sums of their parts.`,
    );
  });

/** The last bill of the person's own organisation, with two charges for each SIM, and the previous one, with one. */
const newestBills = (fleet: Fleet): Promise<string[]> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id::text as id from bills where org_id = $1 order by bills.id desc limit 2',
      [fleet.orgId],
    );
    return rows.map(({ id }) => id);
  });

/** Measures the file of a bill with a row for each SIM's cycle, and the server's peak resident memory during it. */
const measureFile = async (
  run: Run,
  { client, pid, billId, format }: { client: ConsoleClient; pid: number; billId: string; format: string },
): Promise<void> => {
  const what = `file of the SIMs of a bill as ${format.toUpperCase()}`;
  run.progress(what);
  const startedAt = performance.now();
  const content = await client.download(endpoints.finance.download, {
    params: { billId },
    query: { content: 'sims', format },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const rows = format === 'csv' ? countLines(content) - 1 : run.options.sims;
  if (rows !== run.options.sims) throw new Error(`The file has ${rows} rows`);
  run.add({
    what,
    measured: seconds,
    unit: 's',
    details: {
      rows,
      bytes: content.length,
      'server resident at most, MB': Math.round(peakBytesOf(pid) / 1e6),
    },
  });
};

const countLines = (content: Buffer): number => {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return lines;
};

const calls = (sims: number, billId: string): TimedCall[] => {
  const { list, settles, version, details, extract, listSims } = endpoints.finance;
  const page = (name: string, body: (attempt: number) => object): TimedCall => ({
    name: `SIMs of a bill${name}`,
    endpoint: listSims,
    request: (attempt) => ({ body: { billId, page_size: 50, ...body(attempt) } }),
  });
  return [
    { name: 'bills', endpoint: list, request: () => ({ body: { page_size: 50 } }) },
    {
      name: 'bills, issued',
      endpoint: list,
      request: () => ({ body: { page_size: 50, state: ['issued', 'expired'] } }),
    },
    { name: 'what is open', endpoint: settles, request: () => ({}) },
    { name: 'bill', endpoint: version, request: () => ({ query: { billId } }) },
    { name: 'bill: lines', endpoint: details, request: () => ({ query: { billId, page_size: '100' } }) },
    { name: 'bill: sections', endpoint: extract, request: () => ({ params: { billId } }) },
    page('', () => ({})),
    page(', page 60', () => ({ page_no: 60 })),
    page(', the dearest', () => ({ sort: '-amount' })),
    page(' of a line', (attempt) => ({ line: 1 + (attempt % 40) })),
    page(' of a line, the dearest', (attempt) => ({ line: 1 + (attempt % 40), sort: '-amount' })),
    page(', search', (attempt) => ({ search: iccidOf((attempt * 7919) % sims) })),
  ];
};
