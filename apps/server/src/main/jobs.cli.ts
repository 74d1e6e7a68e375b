import type { AuditAction } from '@simcube/contract/audit';
import type { Command } from 'commander';
import type pg from 'pg';
import { operatorActor, recordAudit } from '../modules/audit/index.ts';
import { idArgument, oneLine, using } from '../platform/cli/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { inTransaction, type Sql } from '../platform/db/index.ts';
import {
  type DeadLetter,
  dropDeadLetters,
  findDeadLetter,
  type JobHandler,
  listDeadLetters,
  retryDeadLetters,
} from '../platform/jobs/index.ts';
import { maskSecrets } from '../platform/log/index.ts';
import { sendMailJob } from '../platform/mail/index.ts';
import { deadLettersOf } from './dead-letters.ts';

export interface JobsContext {
  pool: pg.Pool;
  clock: Clock;
  jobs: readonly JobHandler[];
  close: () => Promise<void>;
}

type WithContext = (work: (context: JobsContext) => Promise<void>) => Promise<void>;

const maxListed = 1000;
const jsonHelp = 'machine-readable output';

/** `simcube jobs …`: background jobs whose last attempt has failed. */
export const jobCommands = (program: Command, open: () => Promise<JobsContext>): void => {
  const jobs = program
    .command('jobs')
    .description('Manage dead-lettered jobs: background jobs that have used up their attempts');
  const withContext: WithContext = (work) => using(open, work);
  addReadingCommands(jobs, withContext);
  addChangingCommand(jobs, withContext, {
    verb: 'retry',
    description: 'Queue dead-lettered jobs again, with all their attempts',
    change: retryDeadLetters,
    action: 'job.retried',
    done: 'queued again',
  });
  addChangingCommand(jobs, withContext, {
    verb: 'drop',
    description: 'Delete dead-lettered jobs; their work is not done',
    change: dropDeadLetters,
    action: 'job.dropped',
    done: 'dropped',
  });
};

const listLetters = ({ pool, jobs }: JobsContext, name: string | undefined): Promise<DeadLetter[]> =>
  deadLettersOf(name, {
    what: 'kind of job',
    known: [sendMailJob, ...jobs.map(({ job }) => job)],
    list: () => listDeadLetters(pool, { name, limit: maxListed }),
  });

const addReadingCommands = (jobs: Command, withContext: WithContext): void => {
  jobs
    .command('list')
    .description(`List dead-lettered jobs, oldest first, at most ${maxListed}`)
    .option('--job <name>', 'only jobs of this kind')
    .option('--json', jsonHelp, false)
    .action(({ job, json }: { job?: string; json: boolean }) =>
      withContext(async (context) => {
        const letters = await listLetters(context, job);
        if (json) return void console.info(JSON.stringify(letters.map(masked)));
        for (const letter of letters) {
          const { id, name, attempts, times, error } = letter;
          const at = letter.deadLetteredAt.toISOString();
          console.info([id, name, at, `${attempts} attempts`, `${times}x`, oneLine(error)].join('\t'));
        }
      }),
    );

  jobs
    .command('show')
    .argument('<id>', 'id, as shown by list', idArgument)
    .description('Show a dead-lettered job with its payload; secrets are masked')
    .option('--json', 'no effect: the output is always JSON')
    .action((id: number) =>
      withContext(async ({ pool }) => {
        const letter = await findDeadLetter(pool, id);
        if (!letter) throw new Error(`There is no dead-lettered job ${id}`);
        console.info(JSON.stringify(masked(letter), undefined, 2));
      }),
    );
};

interface ChangeCommand {
  verb: string;
  description: string;
  change: (tx: Sql, ids: readonly number[]) => Promise<DeadLetter[]>;
  action: AuditAction;
  done: string;
}

const addChangingCommand = (
  jobs: Command,
  withContext: WithContext,
  { verb, description, change, action, done }: ChangeCommand,
): void => {
  jobs
    .command(verb)
    .argument('[ids...]', 'ids, as shown by list', (text, former: number[] = []) => [
      ...former,
      idArgument(text),
    ])
    .description(description)
    .option('--job <name>', `instead of ids: all jobs of this kind, up to ${maxListed}`)
    .action((ids: number[] = [], { job }: { job?: string }) =>
      withContext(async (context) => {
        const { pool, clock } = context;
        if ((ids.length === 0) === (job === undefined)) throw new Error('Name the jobs by ids or with --job');
        const selectedIds = job === undefined ? ids : (await listLetters(context, job)).map(({ id }) => id);
        const changed = await inTransaction(pool, async (tx) => {
          const letters = await change(tx, selectedIds);
          const missing = ids.filter((id) => !letters.some((letter) => letter.id === id));
          if (missing.length > 0) throw new Error(`There is no dead-lettered job ${missing.join(', ')}`);
          for (const { id, name, attempts, error } of letters) {
            await recordAudit(tx, {
              orgId: null,
              actor: operatorActor(),
              at: clock.now(),
              subject: { kind: 'job', id: String(id), name },
              before: { attempts, error },
              action,
            });
          }
          return letters;
        });
        console.info(`${changed.length} ${changed.length === 1 ? 'job' : 'jobs'} ${done}`);
      }),
    );
};

const masked = ({ payload, ...letter }: DeadLetter) => ({ ...letter, payload: maskSecrets(payload) });
