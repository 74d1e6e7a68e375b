import { createReadStream } from 'node:fs';
import { open as openFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';
import { lifecycleSchema, simSorts } from '@simcube/contract/sim';
import { type Command, Option } from 'commander';
import {
  argumentParser,
  type CliContext,
  jsonOption,
  requireRereadable,
  using,
  wholeNumber,
} from '../../platform/cli/index.ts';
import { type Db, typed } from '../../platform/db/index.ts';
import { readPage } from '../../platform/lists/index.ts';
import { operatorActor } from '../audit/index.ts';
import { getOrganisation } from '../org/index.ts';
import { importSims, type Refusal } from './import/sim-import.service.ts';
import { type ImportTasks, importSimsAsTask } from './import/sim-import.task.ts';
import { simList } from './list/sim-list.views.ts';
import { type OperateContext, operateCommand } from './operations/operations.cli.ts';
import { type FindOverdue, getBasic, getConnection } from './sim.views.ts';
import { findSim } from './sim-scope.views.ts';

export interface SimsContext extends OperateContext, CliContext {
  findOverdue: FindOverdue;
  task: ImportTasks;
}

/** Number of refusals that are printed; `--refused` gets all. */
const refusalsShown = 20;

/** `simcube sims …`: the operator's inventory. */
export const inventoryCommands = (program: Command, open: () => Promise<SimsContext>): void => {
  const sims = program.command('sims').description('Manage the SIM inventory');
  const withContext = (work: (context: SimsContext & { db: Db }) => Promise<void>) =>
    using(open, (context) => work({ ...context, db: typed(context.pool) }));

  sims
    .command('import <file>')
    .description('Import SIMs from a CSV file; importing the same file again changes nothing')
    .option('--for <email>', 'show the import to this person as a task, with its progress')
    .option('--refused <file>', 'write every refused line with its reason to this CSV file')
    .option(...jsonOption)
    .action((file: string, options: { for?: string; refused?: string; json: boolean }) =>
      withContext((context) => importFile(context, { file, ...options })),
    );

  sims
    .command('list <organisation>')
    .description('List the SIMs of an organisation (by its code), one page at a time')
    .option('--search <text>', 'part of an identifier, name, note or tag')
    .addOption(new Option('--lifecycle <name...>').choices(lifecycleSchema.options))
    .addOption(new Option('--sort <column>').choices(simSorts))
    .option('--size <rows>', 'rows per page, at most 1000', argumentParser(wholeNumber(1, 1000)), 50)
    .option('--cursor <text>', 'cursor printed with the previous page')
    .option(...jsonOption)
    .action((organisation: string, options: ListOptions) =>
      withContext((context) => printList(context, organisation, options)),
    );

  operateCommand(sims, withContext);

  sims
    .command('show <iccid>')
    .description('Show a SIM with its connection')
    .option(...jsonOption)
    .action((iccid: string, { json }: { json: boolean }) =>
      withContext(async ({ pool, db, clock, findOverdue }) => {
        const sim = await findSim(pool, iccid);
        if (!sim) throw new Error(`There is no SIM ${iccid}`);
        const now = clock.now();
        const [basic, connection] = await Promise.all([
          getBasic(db, { sim, now }),
          getConnection(db, { sim, now, findOverdue }),
        ]);
        const { connection: state, network_overdue, session } = connection;
        const shown = { ...basic, connection: state, network_overdue, session };
        console.info(json ? JSON.stringify(shown) : JSON.stringify(shown, null, 2));
      }),
    );
};

const importFile = async (
  { pool, clock, task }: SimsContext,
  options: { file: string; for?: string; refused?: string; json: boolean },
): Promise<void> => {
  const { file, for: email, refused, json } = options;
  if (email !== undefined) await requireRereadable(file);
  if (refused !== undefined) await rejectSameFile(file, refused);
  // Opened first: a stream that opens its file itself would end the process on an error.
  const out = refused === undefined ? undefined : (await openFile(refused, 'w')).createWriteStream();
  // The first error ends the import: listened to at once, because it would end the process.
  const written = out && finished(out);
  written?.catch(() => undefined);
  out?.write('line,reason\n');
  let shown = 0;
  const importOptions = {
    pool,
    clock,
    by: { actor: operatorActor(), file: basename(file) },
    onRefused: ({ line, reason }: Refusal) => {
      if (out?.errored) throw out.errored;
      out?.write(`${line},"${reason.replaceAll('"', '""')}"\n`);
      shown += 1;
      if (shown <= refusalsShown) console.warn(`line ${line}: ${reason}`);
    },
  };
  const open = () => createReadStream(file);
  const importing =
    email === undefined
      ? importSims({ ...importOptions, file: open() })
      : importSimsAsTask(task, { ...importOptions, open, email, name: basename(file) });
  const report = await importing.finally(() => {
    out?.end();
    return written;
  });
  if (shown > refusalsShown) console.warn(`… and ${shown - refusalsShown} more refused lines`);
  const { accepted, duplicate, refused: count } = report;
  console.info(
    json ? JSON.stringify(report) : `${accepted} accepted, ${duplicate} already known, ${count} refused`,
  );
  if (count > 0) process.exitCode = 1;
};

/** Opening the file for writing would empty the one to be read. */
const rejectSameFile = async (file: string, refused: string): Promise<void> => {
  const [read, written] = await Promise.all([stat(file), stat(refused).catch(() => undefined)]);
  if (written && written.ino === read.ino && written.dev === read.dev)
    throw new Error('--refused must not name the file to import');
};

interface ListOptions {
  search?: string;
  lifecycle?: (typeof lifecycleSchema.options)[number][];
  sort?: (typeof simSorts)[number];
  size: number;
  cursor?: string;
  json: boolean;
}

const printList = async (
  { pool, db, clock }: SimsContext & { db: Db },
  code: string,
  options: ListOptions,
): Promise<void> => {
  const { id: orgId } = await getOrganisation(pool, code);
  const result = await readPage(db, simList, {
    scope: { orgId },
    filter: {
      ...(options.search && { search: options.search }),
      ...(options.lifecycle && { lifecycle: options.lifecycle }),
    },
    sort: options.sort,
    page: { page_no: 1, page_size: options.size, cursor: options.cursor },
    now: clock.now(),
  });
  if (options.json) return void console.info(JSON.stringify(result));
  for (const sim of result.data) {
    console.info([sim.iccid, sim.imsi, sim.lifecycle, sim.connection, sim.device_name ?? '-'].join('\t'));
  }
  const more = result.nextCursor ? `; continue with --cursor ${result.nextCursor}` : '';
  console.info(`${result.relation === 'gte' ? 'more than ' : ''}${result.total} SIMs${more}`);
};
