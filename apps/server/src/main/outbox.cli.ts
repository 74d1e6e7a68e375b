import type { AuditAction } from '@simcube/contract/audit';
import type { Command } from 'commander';
import { operatorActor, recordAudit } from '../modules/audit/index.ts';
import { type CliContext, idArgument, jsonOption, oneLine, using } from '../platform/cli/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { inTransaction, type Sql } from '../platform/db/index.ts';
import { maskSecrets } from '../platform/log/index.ts';
import {
  type Consumer,
  type ConsumerStatus,
  type DeadLetteredFact,
  dropDeadLetteredFacts,
  findDeadLetteredFact,
  listDeadFactIds,
  listDeadLetteredFacts,
  readConsumerStatus,
  readDeadFactRange,
  retryDeadLetteredFact,
} from '../platform/outbox/index.ts';
import {
  changeBatches,
  changingCommand,
  deadLettersOf,
  maxListed,
  type Selection,
  selectedBatches,
} from './dead-letters.ts';

export interface OutboxContext extends CliContext {
  consumers: readonly Consumer[];
}

type Open = () => Promise<OutboxContext>;

const subject = { plural: 'facts', option: '--consumer', selected: 'of this consumer' };
/** `simcube outbox …`: the consumers of facts, their progress, and their dead-lettered facts. */
export const outboxCommands = (program: Command, open: Open): void => {
  const outbox = program
    .command('outbox')
    .description('Manage the consumers of facts, and dead-lettered facts');
  addReadingCommands(outbox, open);
  addRetryCommand(outbox, open);
  addDropCommand(outbox, open);
};

const listLetters = (
  { pool, consumers }: OutboxContext,
  consumer: string | undefined,
): Promise<DeadLetteredFact[]> =>
  deadLettersOf(consumer, {
    what: 'consumer',
    known: consumers,
    list: () => listDeadLetteredFacts(pool, { consumer, limit: maxListed }),
  });

const addReadingCommands = (outbox: Command, open: Open): void => {
  outbox
    .command('status')
    .description('Show the progress of each consumer')
    .option(...jsonOption)
    .action((wanted: { json: boolean }) =>
      using(open, async ({ pool, consumers }) => {
        const all = await readConsumerStatus(pool, consumers);
        if (wanted.json) return void console.info(JSON.stringify(all));
        for (const status of all) console.info(statusLine(status));
      }),
    );

  outbox
    .command('list')
    .description(`List dead-lettered facts, oldest first, at most ${maxListed}`)
    .option('--consumer <name>', 'only facts of this consumer')
    .option(...jsonOption)
    .action((wanted: { consumer?: string; json: boolean }) =>
      using(open, async (context) => {
        const letters = await listLetters(context, wanted.consumer);
        if (wanted.json) return void console.info(JSON.stringify(letters.map(masked)));
        for (const letter of letters) console.info(letterLine(letter));
      }),
    );

  outbox
    .command('show')
    .argument('<id>', 'id, as shown by list', idArgument)
    .description('Show a dead-lettered fact with its payload; secrets are masked')
    .option('--json', 'no effect: the output is always JSON')
    .action((id: number) =>
      using(open, async ({ pool }) => {
        const letter = await findDeadLetteredFact(pool, id);
        if (!letter) throw missingError([id]);
        console.info(JSON.stringify(masked(letter), undefined, 2));
      }),
    );
};

interface Options extends Omit<Selection, 'name'> {
  consumer?: string;
}

const batchesOf = (
  context: OutboxContext,
  ids: readonly number[],
  { verb, consumer: name, ...options }: Options & { verb: string },
) =>
  selectedBatches(
    ids,
    { ...options, name },
    {
      ...subject,
      verb,
      listOldest: async () => (await listLetters(context, name)).map(({ id }) => id),
      readRange: () => readDeadFactRange(context.pool, name),
      listIds: (range) => listDeadFactIds(context.pool, { consumer: name, ...range }),
    },
  );

/** Failures that are printed; with all facts there may be any number. */
const maxFailures = 100;

const addRetryCommand = (outbox: Command, open: Open): void => {
  const verb = 'retry';
  const description = 'Deliver dead-lettered facts again, each only to its own consumer';
  changingCommand(outbox, subject, { verb, description }).action((ids: number[] = [], options: Options) =>
    using(open, async (context) => {
      const { pool, clock, consumers } = context;
      const failures: string[] = [];
      let [delivered, failed] = [0, 0];
      const deliver = async (id: number) => {
        // In separate transactions: one that fails again does not block the others.
        try {
          await retryDeadLetteredFact(pool, id, {
            consumers,
            inSameTransaction: (tx, letter) => recordChange(tx, letter, { clock, action: 'fact.retried' }),
          });
          delivered += 1;
        } catch (error) {
          failed += 1;
          if (failed <= maxFailures) failures.push(`${id}: ${oneLine((error as Error).message)}`);
        }
      };
      const failureText = () => {
        const more = failed > failures.length ? [`and ${failed - failures.length} more`] : [];
        return [`${countText(failed)} not delivered`, ...failures, ...more].join('\n');
      };
      try {
        for await (const batch of batchesOf(context, ids, { ...options, verb })) {
          for (const id of batch) await deliver(id);
        }
      } catch (error) {
        if (delivered + failed > 0) console.info(`${countText(delivered)} delivered`);
        if (failed > 0) console.warn(failureText());
        throw error;
      }
      console.info(`${countText(delivered)} delivered`);
      if (failed > 0) throw new Error(failureText());
    }),
  );
};

const addDropCommand = (outbox: Command, open: Open): void => {
  const verb = 'drop';
  const description = 'Delete dead-lettered facts; their consumers do not process them';
  changingCommand(outbox, subject, { verb, description }).action((ids: number[] = [], options: Options) =>
    using(open, async (context) => {
      const { pool, clock } = context;
      const drop = (batch: readonly number[]) =>
        inTransaction(pool, async (tx) => {
          const letters = await dropDeadLetteredFacts(tx, batch);
          const unknown = ids.filter((id) => !letters.some((letter) => letter.id === id));
          if (unknown.length > 0) throw missingError(unknown);
          for (const letter of letters) await recordChange(tx, letter, { clock, action: 'fact.dropped' });
          return letters.length;
        });
      await changeBatches(batchesOf(context, ids, { ...options, verb }), drop, (count) =>
        console.info(`${countText(count)} dropped`),
      );
    }),
  );
};

const recordChange = (
  tx: Sql,
  { id, consumer, topic, attempts, error }: DeadLetteredFact,
  { clock, action }: { clock: Clock; action: AuditAction },
): Promise<void> =>
  recordAudit(tx, {
    orgId: null,
    actor: operatorActor(),
    at: clock.now(),
    subject: { kind: 'fact', id: String(id), name: topic },
    before: { consumer, attempts, error },
    action,
  });

const missingError = (ids: readonly number[]): Error =>
  new Error(`There is no dead-lettered fact ${ids.join(', ')}`);

const countText = (count: number): string => `${count} ${count === 1 ? 'fact' : 'facts'}`;

const masked = ({ payload, ...letter }: DeadLetteredFact) => ({ ...letter, payload: maskSecrets(payload) });

const letterLine = ({ id, consumer, topic, deadLetteredAt, attempts, error }: DeadLetteredFact): string =>
  [id, consumer, topic, deadLetteredAt.toISOString(), `${attempts} attempts`, oneLine(error)].join('\t');

const statusLine = (status: ConsumerStatus): string => {
  const { consumer, isDefined, waiting, oldestAt, deadLettered, attempts, retryAt, error, seenAt } = status;
  const state = isDefined ? `${waiting ?? 0} waiting` : `gone, last seen ${seenAt.toISOString()}`;
  const since = oldestAt ? `since ${oldestAt.toISOString()}` : '-';
  const retry = retryAt
    ? `attempt ${attempts + 1} at ${retryAt.toISOString()}: ${oneLine(error ?? '')}`
    : '-';
  return [consumer, state, since, `${deadLettered} dead-lettered`, retry].join('\t');
};
