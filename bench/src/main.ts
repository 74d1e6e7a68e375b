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
import { type BenchOptions, type Section, sharedGround } from './run.ts';
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
    throw new InvalidArgumentError('must be a whole number from 1');
  return number;
};

const program = new Command('bench')
  .description('Measures SimCube against the budgets of docs/benchmarks.md')
  .argument('[section...]', `which of: ${Object.keys(sections).join(', ')}; all when none is named`)
  .option('--strict', 'end with 1 when a budget is not met', false)
  .option('--sims <n>', 'SIMs of the big installation', positive, 1_000_000)
  .option('--sessions <n>', 'sessions of the accounting comparison', positive, 50_000)
  .option(
    '--windows <n,…>',
    'requests on their way at once',
    (text) => text.split(',').map(positive),
    [32, 256, 1024],
  )
  .option('--rounds <n>', 'repetitions, of which the median counts', positive, 3)
  .option('--tries <n>', 'calls of each list', positive, 40)
  .option('--rows <n>', 'rows of the CDR file', positive, 1_000_000)
  .option(
    '--cdrs <n>',
    'CDRs of all days; 20,000,000 where the disk has no room for more',
    positive,
    100_000_000,
  )
  .option('--days <n>', 'days that have CDRs: half a year', positive, 183)
  .option('--messages <n>', 'messages of half a year in the lists', positive, 10_000_000)
  .option('--rate <n>', 'accounting packets a second beside the lists', positive, 1000)
  .option('--steady', 'beside firings at once: packets at --rate, not as many as are answered', false)
  .option('--firings <n>', 'firings at once of a rule', positive, 100_000)
  .option('--batch <n>', 'SIMs of the files of the tasks', positive, limits.upload.rows)
  .option('--roles <roles>', 'roles of the server under accounting load', 'aaa')
  .option('--no-baseline', 'leave FreeRADIUS out: processor times alone, in half the time')
  .option('--statements', 'tell what the statements in the database cost', false)
  .option(
    '--nodes <n>',
    'lists and accounting on so many nodes with Citus, made here; 1 is the same PostgreSQL without',
    positive,
  )
  .option('--before <dir>', 'another checkout, whose console is the baseline of this one')
  .option(
    '--keep <dir>',
    'leave the ground of cdrs, replay or sms-lists there, or use what a run has left; for one of them alone',
  )
  .option('--ask <text|…>', 'of the questions of cdrs or sms-lists those alone whose names have one of these')
  .option('--profile <dir>', 'write processor profiles of the server there')
  .action(async (named: string[], options: BenchOptions & { strict: boolean }) => {
    const unknown = named.filter((name) => !(name in sections));
    if (unknown.length > 0) program.error(`no such section: ${unknown.join(', ')}`);
    if (options.keep !== undefined && !['cdrs', 'replay', 'sms-lists'].includes(named.join()))
      program.error('--keep is for cdrs, replay or sms-lists alone');
    const results = await measure(named.length > 0 ? named : Object.keys(sections), options);
    console.log(`\nWritten to ${writeResults(join(projectRoot, 'bench/results'), results)}`);
    const missed = results.flatMap(({ lines }) => lines).filter(({ met }) => met === false);
    console.log(missed.length === 0 ? 'All budgets met.' : `${missed.length} budget(s) not met.`);
    if (options.strict && missed.length > 0) process.exitCode = 1;
  });

const measure = async (names: string[], options: BenchOptions): Promise<SectionResult[]> => {
  const progress = (text: string) => console.error(`  … ${text}`);
  const ground = sharedGround(options, progress);
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
        bigFleet: ground.bigFleet,
      }).catch((error: Error) => {
        result.lines.push({ what: 'failed', measured: 0, unit: '', met: false });
        result.notes.push(error.stack ?? error.message);
      });
      result.seconds = (performance.now() - begin) / 1000;
      printSection(result);
      results.push(result);
    }
  } finally {
    await ground.close();
  }
  return results;
};

await program.parseAsync();
