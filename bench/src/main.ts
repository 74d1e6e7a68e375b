import { loadavg } from 'node:os';
import { join } from 'node:path';
import { limits } from '@simcube/contract';
import { Command, InvalidArgumentError } from 'commander';
import { accounting } from './accounting.ts';
import { accountingAll } from './accounting-all.ts';
import { autoflow } from './autoflow.ts';
import { autoflowBurst } from './autoflow-burst.ts';
import { bills } from './bills.ts';
import { browser } from './browser.ts';
import { cdrs } from './cdrs.ts';
import { dashboard } from './dashboard.ts';
import { simExport } from './export.ts';
import { heatmap } from './heatmap.ts';
import { cdrImport } from './import.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { listsLive } from './lists-live.ts';
import { notify } from './notify.ts';
import { projectRoot } from './product.ts';
import { replay } from './replay.ts';
import { printSection, type SectionResult, writeResults } from './report.ts';
import { monthlyReports } from './reports.ts';
import { type BenchOptions, type Section, sharedFleet } from './run.ts';
import { sizes } from './sizes.ts';
import { sms } from './sms.ts';
import { smsLists } from './sms-lists.ts';
import { start } from './start.ts';
import { tasks } from './tasks.ts';

const sections: Record<string, Section> = {
  accounting,
  'accounting-all': accountingAll,
  import: cdrImport,
  lists,
  'lists-live': listsLive,
  export: simExport,
  dashboard,
  cdrs,
  heatmap,
  notify,
  keys,
  autoflow,
  'autoflow-burst': autoflowBurst,
  replay,
  bills,
  reports: monthlyReports,
  sms,
  'sms-lists': smsLists,
  sizes,
  tasks,
  start,
  browser,
};

const positive = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('must be a whole number, 1 or more');
  return number;
};

const program = new Command('bench')
  .description('Measure SimCube against the budgets in docs/benchmarks.md')
  .argument('[section...]', `sections to run (default: all): ${Object.keys(sections).join(', ')}`)
  .option('--strict', 'exit with 1 if a budget is not met', false)
  .option('--sims <n>', 'SIMs of the large installation', positive, 1_000_000)
  .option('--sessions <n>', 'sessions of the accounting comparison', positive, 50_000)
  .option(
    '--windows <n,…>',
    'numbers of concurrent requests',
    (text) => text.split(',').map(positive),
    [32, 256, 1024],
  )
  .option('--rounds <n>', 'repetitions; the median counts', positive, 3)
  .option('--tries <n>', 'calls of each list', positive, 40)
  .option('--rows <n>', 'rows of the CDR file', positive, 1_000_000)
  .option(
    '--cdrs <n>',
    'CDRs of all days; 20,000,000 if the disk has no space for more',
    positive,
    100_000_000,
  )
  .option('--days <n>', 'days with CDRs (default: half a year)', positive, 183)
  .option('--messages <n>', 'messages in the lists, over half a year', positive, 10_000_000)
  .option('--rate <n>', 'accounting packets per second during the lists', positive, 1000)
  .option(
    '--steady',
    'during simultaneous firings, send packets at --rate, not as fast as they are answered',
    false,
  )
  .option('--firings <n>', 'simultaneous firings of a rule', positive, 100_000)
  .option('--batch <n>', 'SIMs in the files of tasks', positive, limits.upload.rows)
  .option('--roles <roles>', 'roles of the server under accounting load', 'aaa')
  .option('--no-baseline', 'omit FreeRADIUS: only processor times, in half the time')
  .option('--statements', 'report the cost of database statements', false)
  .option(
    '--nodes <n>',
    'run lists and accounting on this number of Citus nodes, created here; 1: the same PostgreSQL without Citus',
    positive,
  )
  .option('--before <dir>', 'another checkout, whose console is the baseline')
  .option(
    '--keep <dir>',
    'keep the data of cdrs, replay or sms-lists in this directory, or reuse that of an earlier run; for one section only',
  )
  .option(
    '--ask <text|…>',
    'run only the queries of cdrs or sms-lists whose names contain one of these texts',
  )
  .option('--profile <dir>', 'write CPU profiles of the server to this directory')
  .action(async (named: string[], options: BenchOptions & { strict: boolean }) => {
    const unknown = named.filter((name) => !(name in sections));
    if (unknown.length > 0) program.error(`unknown section: ${unknown.join(', ')}`);
    if (options.keep !== undefined && !['cdrs', 'replay', 'sms-lists'].includes(named.join()))
      program.error('--keep requires exactly one of the sections cdrs, replay and sms-lists');
    const results = await measure(named.length > 0 ? named : Object.keys(sections), options);
    console.log(`\nWritten to ${writeResults(join(projectRoot, 'bench/results'), results)}`);
    const missed = results.flatMap(({ lines }) => lines).filter(({ met }) => met === false);
    console.log(missed.length === 0 ? 'All budgets met.' : `${missed.length} budget(s) not met.`);
    if (options.strict && missed.length > 0) process.exitCode = 1;
  });

const measure = async (names: string[], options: BenchOptions): Promise<SectionResult[]> => {
  const progress = (text: string) => console.error(`  … ${text}`);
  const shared = sharedFleet(options, progress);
  const results: SectionResult[] = [];
  try {
    for (const name of names) {
      const result: SectionResult = {
        section: name,
        lines: [],
        notes: [],
        seconds: 0,
        loadBefore: loadavg()[0] ?? 0,
      };
      const begin = performance.now();
      // If a section can't be measured, the figures of the others must not be lost.
      await sections[name]?.({
        options,
        add: (line) => result.lines.push(line),
        note: (text) => result.notes.push(text),
        progress,
        bigFleet: shared.bigFleet,
      }).catch((error: Error) => {
        result.lines.push({ what: 'failed', measured: 0, unit: '', met: false });
        result.notes.push(error.stack ?? error.message);
      });
      result.seconds = (performance.now() - begin) / 1000;
      printSection(result);
      results.push(result);
    }
  } finally {
    await shared.close();
  }
  return results;
};

await program.parseAsync();
