import type { AuditAction } from '@simcube/contract/audit';
import type { Command } from 'commander';
import { operatorActor, recordAudit } from '../modules/audit/index.ts';
import { type CliContext, idArgument, jsonOption, oneLine, using } from '../platform/cli/index.ts';
import { inTransaction, type Sql } from '../platform/db/index.ts';
import {
  type DeadLetter,
  dropDeadLetters,
  findDeadLetter,
  type JobHandler,
  listDeadLetterIds,
  listDeadLetters,
  readDeadLetterRange,
  retryDeadLetters,
} from '../platform/jobs/index.ts';
import { maskSecrets } from '../platform/log/index.ts';
import { sendMailJob } from '../platform/mail/index.ts';
import {
  changeBatches,
  changingCommand,
  deadLettersOf,
  maxListed,
  type Selection,
  selectedBatches,
} from './dead-letters.ts';

export interface JobsContext extends CliContext {
  jobs: readonly JobHandler[];
}

type WithContext = (work: (context: JobsContext) => Promise<void>) => Promise<void>;

const subject = { plural: 'jobs', option: '--job', selected: 'of this kind' };

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
    .option(...jsonOption)
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

interface Options extends Omit<Selection, 'name'> {
  job?: string;
}

interface ChangeCommand {
  verb: string;
  description: string;
  change: (tx: Sql, ids: readonly number[]) => Promise<DeadLetter[]>;
  action: AuditAction;
  done: string;
}

const addChangingCommand = (jobs: Command, withContext: WithContext, change: ChangeCommand): void => {
  changingCommand(jobs, subject, change).action((ids: number[] = [], options: Options) =>
    withContext(async (context) => {
      const { pool } = context;
      const { job: name } = options;
      const batches = selectedBatches(
        ids,
        { ...options, name },
        {
          ...subject,
          verb: change.verb,
          listOldest: async () => (await listLetters(context, name)).map(({ id }) => id),
          readRange: () => readDeadLetterRange(pool, name),
          listIds: (range) => listDeadLetterIds(pool, { name, ...range }),
        },
      );
      await changeBatches(
        batches,
        (batch) => changeBatch(context, batch, { ...change, named: ids }),
        (count) => console.info(`${count} ${count === 1 ? 'job' : 'jobs'} ${change.done}`),
      );
    }),
  );
};

/** @returns how many it changed, in one transaction with their audit entries */
const changeBatch = (
  { pool, clock }: JobsContext,
  batch: readonly number[],
  { change, action, named }: Pick<ChangeCommand, 'change' | 'action'> & { named: readonly number[] },
): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const letters = await change(tx, batch);
    const missing = named.filter((id) => !letters.some((letter) => letter.id === id));
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
    return letters.length;
  });

const masked = ({ payload, ...letter }: DeadLetter) => ({ ...letter, payload: maskSecrets(payload) });
