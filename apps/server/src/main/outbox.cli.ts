import type { AuditAction } from '@simcube/contract/audit';
import type { Command } from 'commander';
import type pg from 'pg';
import { operatorActor, recordAudit } from '../modules/audit/index.ts';
import { idArgument, oneLine, using } from '../platform/cli/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { inTransaction, type Sql } from '../platform/db/index.ts';
import { maskSecrets } from '../platform/log/index.ts';
import {
  type Consumer,
  type ConsumerStatus,
  type DeadLetteredFact,
  dropDeadLetteredFacts,
  findDeadLetteredFact,
  listDeadLetteredFacts,
  readConsumerStatus,
  retryDeadLetteredFact,
} from '../platform/outbox/index.ts';
import { deadLettersOf } from './dead-letters.ts';

export interface OutboxContext {
  pool: pg.Pool;
  clock: Clock;
  consumers: readonly Consumer[];
  close: () => Promise<void>;
}

type Open = () => Promise<OutboxContext>;

const maxListed = 1000;
const json = ['--json', 'machine-readable output', false] as const;

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
    .option(...json)
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
    .option(...json)
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

interface Selection {
  consumer?: string;
}

/** The given ids, or all of a consumer. */
const selectIds = async (
  context: OutboxContext,
  ids: readonly number[],
  { consumer }: Selection,
): Promise<readonly number[]> => {
  if ((ids.length === 0) === (consumer === undefined))
    throw new Error('Name the facts by ids or with --consumer');
  if (consumer === undefined) return ids;
  return (await listLetters(context, consumer)).map(({ id }) => id);
};

const changeCommand = (outbox: Command, verb: string, description: string): Command =>
  outbox
    .command(verb)
    .argument('[ids...]', 'ids, as shown by list', (text, former: number[] = []) => [
      ...former,
      idArgument(text),
    ])
    .description(description)
    .option('--consumer <name>', `instead of ids: all facts of this consumer, up to ${maxListed}`);

const addRetryCommand = (outbox: Command, open: Open): void => {
  changeCommand(outbox, 'retry', 'Deliver dead-lettered facts again, each only to its own consumer').action(
    (ids: number[] = [], selection: Selection) =>
      using(open, async (context) => {
        const { pool, clock, consumers } = context;
        const wanted = await selectIds(context, ids, selection);
        const failures: string[] = [];
        for (const id of wanted) {
          // In separate transactions: one that fails again does not block the others.
          await retryDeadLetteredFact(pool, id, {
            consumers,
            inSameTransaction: (tx, letter) => recordChange(tx, letter, { clock, action: 'fact.retried' }),
          }).catch((error: Error) => failures.push(`${id}: ${oneLine(error.message)}`));
        }
        console.info(`${countText(wanted.length - failures.length)} delivered`);
        if (failures.length > 0) {
          throw new Error(`${countText(failures.length)} not delivered\n${failures.join('\n')}`);
        }
      }),
  );
};

const addDropCommand = (outbox: Command, open: Open): void => {
  changeCommand(outbox, 'drop', 'Delete dead-lettered facts; their consumers do not process them').action(
    (ids: number[] = [], selection: Selection) =>
      using(open, async (context) => {
        const { pool, clock } = context;
        const wanted = await selectIds(context, ids, selection);
        const dropped = await inTransaction(pool, async (tx) => {
          const letters = await dropDeadLetteredFacts(tx, wanted);
          const unknown = ids.filter((id) => !letters.some((letter) => letter.id === id));
          if (unknown.length > 0) throw missingError(unknown);
          for (const letter of letters) await recordChange(tx, letter, { clock, action: 'fact.dropped' });
          return letters.length;
        });
        console.info(`${countText(dropped)} dropped`);
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
