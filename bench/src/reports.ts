import { startCluster, withClient } from './cluster.ts';
import { type Fleet, makeFleet, orgCode } from './fleet.ts';
import { runSimcubeMeasured } from './product.ts';
import { fillReportData, reportedMonth, setReportPreferences } from './report-data.ts';
import type { Run } from './run.ts';

type Format = 'csv' | 'xlsx';
const budgets = { seconds: { csv: 60, xlsx: 150 }, megabytes: 300 };

/** Measured reports: kinds with a row per SIM, and one with a row per change of half of them. */
const reports: readonly { kind: string; formats: readonly Format[] }[] = [
  { kind: 'sim-usage', formats: ['csv'] },
  { kind: 'sim-usage', formats: ['xlsx'] },
  { kind: 'sim-usage', formats: ['csv', 'xlsx'] },
  { kind: 'inventory', formats: ['csv'] },
  { kind: 'bundles', formats: ['csv'] },
  { kind: 'status-changes', formats: ['csv'] },
];

/** Monthly reports of an organisation with all SIMs, each created by `simcube reports remake`; measures the whole command. */
export const monthlyReports = async (run: Run): Promise<void> => {
  const { sims } = run.options;
  const cluster = await startCluster({ trackStatements: run.options.statements });
  try {
    const fleet = await makeFleet(cluster, { database: 'reports', pastDays: 100 });
    run.progress(`filling an organisation with ${sims.toLocaleString('en-US')} SIMs and a month of theirs`);
    await fillReportData(fleet, sims);
    await cluster.settle();
    await cluster.costliestStatements();
    for (const report of reports) await measure(run, fleet, report);
    for (const line of await cluster.costliestStatements()) run.note(line);
  } finally {
    await cluster.stop();
  }
};

const measure = async (
  run: Run,
  fleet: Fleet,
  { kind, formats }: { kind: string; formats: readonly Format[] },
): Promise<void> => {
  const what = `${kind} as ${formats.join(' and ').toUpperCase()}`;
  run.progress(what);
  await setReportPreferences(fleet, { kind, formats });
  const startedAt = performance.now();
  const { peakBytes, cpuSeconds } = await runSimcubeMeasured(fleet, {
    args: ['reports', 'remake', orgCode, '--month', reportedMonth().month],
    profile: run.options.profile,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const megabytes = peakBytes / 1e6;
  const { rows, bytes } = await checkReport(run, fleet, { kind, formats });
  const limit = Math.max(...formats.map((format) => budgets.seconds[format]));
  run.add({
    what,
    measured: seconds,
    unit: 's',
    budget: `${limit} s`,
    met: seconds <= limit,
    details: { rows, bytes, 'CPU s of the command': cpuSeconds },
  });
  run.add({
    what: `${what}: resident at most`,
    measured: megabytes,
    unit: 'MB',
    budget: `${budgets.megabytes} MB`,
    met: megabytes <= budgets.megabytes,
  });
};

/** Checks that a report has the expected rows, and that the usage report equals the total of the month's days. */
const checkReport = (
  { options: { sims } }: Run,
  fleet: Fleet,
  { kind, formats }: { kind: string; formats: readonly Format[] },
): Promise<{ rows: number; bytes: number }> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows: found } = await client.query<{ rows: number; files: number; bytes: string; used: boolean }>(
      `select r.rows::int, count(f.*)::int as files, sum(f.bytes)::text as bytes, $1 <> 'sim-usage' or (
         select (figure ->> 'value')::numeric from jsonb_array_elements(r.figures) as figure
         where figure ->> 'figure' = 'used') = (
         select sum(up_bytes + down_bytes) from usage_daily where day_on >= $2 and day_on < $3) as used
       from reports r join report_files f on f.report_id = r.id where r.kind = $1 group by r.id`,
      [kind, reportedMonth().from, reportedMonth().until],
    );
    const report = found[0];
    const expectedRows = kind === 'status-changes' ? Math.floor(sims / 2) : sims;
    if (report?.rows !== expectedRows || report.files !== formats.length || !report.used)
      throw new Error(`The report of ${kind} is wrong: ${JSON.stringify(report)}`);
    return { rows: report.rows, bytes: Number(report.bytes) };
  });
