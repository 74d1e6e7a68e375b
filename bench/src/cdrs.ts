import { join } from 'node:path';
import { endpoints, limits } from '@simcube/contract';
import { computeCounts } from './cdr-counts.ts';
import { listCalls, params, type QueryScope, sumsCalls } from './cdr-queries.ts';
import {
  type CdrRecords,
  makeRecords,
  readKeptRecords,
  recordsThatFit,
  writeKeptRecords,
} from './cdr-records.ts';
import { withClient } from './cluster.ts';
import type { ConsoleClient } from './console-client.ts';
import type { Fleet } from './fleet.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';
import { timeCopy, timeExport } from './task-time.ts';
import { callNote, measureCall, type TimedCall, withConsole } from './timed-calls.ts';

const budget = { ms: 100 };
const duckRuns = 5;
const maxExportRatio = 2;
/** Number of consecutive pages by cursor. */
const cursorPages = 40;

/** Lists, totals and exports of half a year of CDRs in the real tables. */
export const cdrs = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet, cluster } = await run.bigFleet();
  const { directory } = cluster;
  const { sims, keep, days } = options;
  const kept = await readKeptRecords(directory);
  const records =
    kept ??
    (await makeRecords(fleet, {
      directory,
      count: await recordsThatFit(directory, options.cdrs),
      days,
      sims,
      progress,
    }));
  if (keep !== undefined) await writeKeptRecords(keep, records);
  try {
    progress('computing hours and days');
    await addCounts(run, fleet, records);
    await cluster.settle();
    await withConsole(run, { fleet, name: 'cdrs', roles: 'web,worker' }, async (client) => {
      await addSums(run, client, records);
      await addLists(run, client, records);
      if (options.ask === undefined) await addExport(run, client, { fleet, records });
    });
    run.note(callNote);
    run.note(
      `${records.count.toLocaleString('en-US')} CDRs of ${records.days} days and ${sims.toLocaleString('en-US')} SIMs` +
        (records.count < options.cdrs - records.days
          ? `, as the disk has no room for ${options.cdrs.toLocaleString('en-US')}`
          : '') +
        `; spans of ${limits.cdrs.days} days at different places. ${await sizes(fleet)}`,
    );
    run.note(
      `Baseline of sums: DuckDB on the same records in Parquet files of a day, ${duckRuns} queries each; of exports: ` +
        'COPY … TO STDOUT of the same columns of the same records into a file, as psql \\copy does.',
    );
  } finally {
    records.duck.close();
  }
};

const addCounts = async (run: Run, fleet: Fleet, { count, days }: CdrRecords): Promise<void> => {
  const milliseconds = await computeCounts(run, fleet);
  run.add({
    what: 'cdr.count-all-hours, an hour',
    measured: milliseconds / (days * 24),
    unit: 'ms',
    details: { 'µs a record': (milliseconds * 1000) / count },
  });
};

const sizes = (fleet: Fleet): Promise<string> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `select string_agg(name || ' ' || pg_size_pretty(bytes), ', ' order by bytes desc) as text from (
         select c.relname as name, coalesce((select sum(pg_total_relation_size(i.inhrelid)) from pg_inherits i
           where i.inhparent = c.oid), pg_total_relation_size(c.oid)) as bytes
         from pg_class c where c.relname like 'cdr%' and c.relkind in ('r', 'p') and not c.relispartition) as tables
       where bytes > 10000000`,
    );
    return rows[0]?.text ?? '';
  });

const scopeOf = (run: Run, { end, days }: CdrRecords): QueryScope => ({ end, days, sims: run.options.sims });

/** Whether a question is asked: all by default, otherwise those named. */
const isSelected =
  ({ options: { ask } }: Run) =>
  ({ name }: TimedCall): boolean =>
    ask === undefined || ask.split('|').some((text) => name.includes(text));

const addSums = async (run: Run, client: ConsoleClient, records: CdrRecords): Promise<void> => {
  for (const call of sumsCalls(scopeOf(run, records)).filter(isSelected(run))) {
    run.progress(call.name);
    const { duck } = call;
    const samples: number[] = [];
    for (let attempt = 0; duck && attempt < duckRuns; attempt += 1) {
      samples.push(await records.duck.time(duck(attempt)));
    }
    await measureCall(run, client, { call, budget, ...(duck ? { baseline: quantile(samples, 0.95) } : {}) });
  }
};

const addLists = async (run: Run, client: ConsoleClient, records: CdrRecords): Promise<void> => {
  const { list } = endpoints.cdr;
  const span = { to: records.end.toISOString() };
  const first = await client.call(list, { params, body: { ...span, page_size: 100 } });
  const [record] = first.response.data as { session: string }[];
  for (const call of listCalls(scopeOf(run, records), record?.session ?? '').filter(isSelected(run))) {
    run.progress(call.name);
    await measureCall(run, client, { call, budget });
  }
  if (run.options.ask !== undefined) return;
  const samples: number[] = [];
  let cursor = first.response.next_cursor;
  for (let page = 0; page < cursorPages; page += 1) {
    const { milliseconds, response } = await client.call(list, {
      params,
      body: { ...span, page_size: 100, cursor },
    });
    samples.push(milliseconds);
    cursor = response.next_cursor;
  }
  const measured = quantile(samples, 0.95);
  run.add({
    what: `list, pages 2 to ${cursorPages + 1} by cursor`,
    measured,
    unit: 'ms',
    budget: `${budget.ms} ms`,
    met: measured <= budget.ms,
  });
};

const addExport = async (
  run: Run,
  client: ConsoleClient,
  { fleet, records }: { fleet: Fleet; records: CdrRecords },
): Promise<void> => {
  const { from, to, rows } = await spanOfExport(fleet, records.end);
  const request = (format: string) => ({
    endpoint: endpoints.cdr.exportAll,
    request: { params: { ...params, format }, body: { filter: { from, to } } },
  });
  const samples = { csv: [] as number[], copy: [] as number[] };
  for (let round = 0; round <= run.options.rounds; round += 1) {
    run.progress(`export, round ${round} of ${run.options.rounds}`);
    const csv = await timeExport(client, fleet, request('csv'));
    const copy = await timeCopy(fleet, {
      query: copyOf(fleet, { from, to }),
      path: join(fleet.dataDir, 'copy.csv'),
    });
    if (round === 0) continue;
    samples.csv.push(csv.milliseconds);
    samples.copy.push(copy.milliseconds);
  }
  const [measured, baseline] = [quantile(samples.csv, 0.5), quantile(samples.copy, 0.5)];
  run.add({
    what: `export of ${rows.toLocaleString('en-US')} CDRs to CSV`,
    measured,
    baseline,
    unit: 'ms',
    ratio: measured / baseline,
    budget: `${maxExportRatio} ×`,
    met: measured <= baseline * maxExportRatio,
  });
  const xlsx = await timeExport(client, fleet, request('xlsx'));
  run.add({ what: 'the same to XLSX', measured: xlsx.milliseconds, unit: 'ms' });
};

/** A span up to the end with the maximum number of records of a file. */
const spanOfExport = (fleet: Fleet, end: Date): Promise<{ from: string; to: string; rows: number }> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ ended_at: Date; count: number }>(
      `select min(ended_at) as ended_at, count(*)::int as count from (
         select ended_at from cdrs where org_id = $1 and ended_at < $2 and ended_at >= $2::timestamptz - interval '30 days'
         order by ended_at desc limit $3) as latest`,
      [fleet.orgId, end, limits.exportRows - 10],
    );
    const [found] = rows;
    if (!found) throw new Error('No CDRs');
    return { from: found.ended_at.toISOString(), to: end.toISOString(), rows: found.count };
  });

const copyOf = ({ orgId }: Fleet, { from, to }: { from: string; to: string }): string => `
  select to_char(c.started_at, 'YYYY-MM-DD HH24:MI:SS'), to_char(c.ended_at, 'YYYY-MM-DD HH24:MI:SS'), s.iccid, s.imsi,
    s.msisdn, s.device_name, n.country, n.operator, n.mcc || '-' || n.mnc, c.radio, c.cell, c.apn,
    s.iccid || '-' || c.session_key, c.source, c.up_bytes, c.down_bytes, c.up_bytes + c.down_bytes
  from cdrs c join sims s on s.id = c.sim_id left join networks n on n.plmn = c.plmn
  where c.org_id = ${orgId} and c.ended_at >= '${from}' and c.ended_at < '${to}'
  order by c.ended_at desc, c.sim_id desc, c.dedupe_key desc`;
