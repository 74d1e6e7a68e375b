import type { Command } from 'commander';
import { idArgument } from '../platform/cli/index.ts';

/** How many dead letters are listed, or changed in one transaction. */
export const maxListed = 1000;

/**
 * Dead letters of one kind of job or one consumer, or all.
 * @throws Error for an unknown name, so that a misspelt one does not look like one without dead letters
 */
export const deadLettersOf = async <DeadLetter>(
  name: string | undefined,
  {
    what,
    known,
    list,
  }: { what: string; known: readonly { name: string }[]; list: () => Promise<DeadLetter[]> },
): Promise<DeadLetter[]> => {
  const deadLetters = await list();
  // The name may be one of an earlier version.
  if (name !== undefined && deadLetters.length === 0 && !known.some((knownName) => knownName.name === name))
    throw new Error(`There is no ${what} ${name}`);
  return deadLetters;
};

/** What the commands of dead letters are about, as their texts name it. */
export interface Subject {
  /** `jobs`, `facts`. */
  plural: string;
  /** `--job`, `--consumer`. */
  option: string;
  /** `of this kind`, `of this consumer`. */
  selected: string;
}

export interface Selection {
  /** The value of the subject's option. */
  name: string | undefined;
  all: boolean;
  yes: boolean;
}

/** `retry` or `drop`, for the given ids, for those of one name, or for all. */
export const changingCommand = (
  parent: Command,
  subject: Subject,
  { verb, description }: { verb: string; description: string },
): Command =>
  parent
    .command(verb)
    .argument('[ids...]', 'ids, as shown by list', (text, former: number[] = []) => [
      ...former,
      idArgument(text),
    ])
    .description(description)
    .option(
      `${subject.option} <name>`,
      `instead of ids: ${subject.plural} ${subject.selected}, up to ${maxListed}`,
    )
    .option('--all', `instead of ids: all of them, or all ${subject.selected}, however many`, false)
    .option('--yes', 'with --all: do it; without it, they are only counted', false);

/** Dead letters of a command, as its module reads them. */
export interface DeadLetterSource {
  /** The oldest ones that it lists; throws for an unknown name. */
  listOldest: () => Promise<number[]>;
  /** Those that exist when the command begins; later ones have higher ids. */
  readRange: () => Promise<{ count: number; lastId: number }>;
  listIds: (range: { after: number; until: number; limit: number }) => Promise<number[]>;
}

/**
 * The selected dead letters, in batches for one transaction each.
 * @throws Error if the command does not say which, or needs confirmation
 */
export async function* selectedBatches(
  ids: readonly number[],
  { name, all, yes }: Selection,
  { verb, plural, option, listOldest, readRange, listIds }: DeadLetterSource & Subject & { verb: string },
): AsyncGenerator<readonly number[]> {
  if ((ids.length === 0) === (name === undefined && !all))
    throw new Error(`Name the ${plural} by ids, with ${option} or with --all`);
  if (ids.length > 0) return yield ids;
  const oldest = await listOldest();
  if (!all) return yield oldest;
  const { count, lastId: until } = await readRange();
  if (!yes && count > 0)
    throw new Error(`Nothing was done (${plural} selected: ${count}): add --yes to ${verb} them`);
  for (let after = 0; after < until; ) {
    const batch = await listIds({ after, until, limit: maxListed });
    after = batch.at(-1) ?? until;
    if (batch.length > 0) yield batch;
  }
}

/** Changes batch by batch, and says how many, also if a later batch fails. */
export const changeBatches = async (
  batches: AsyncIterable<readonly number[]>,
  change: (batch: readonly number[]) => Promise<number>,
  say: (count: number) => void,
): Promise<void> => {
  let changed = 0;
  let isComplete = false;
  try {
    for await (const batch of batches) changed += await change(batch);
    isComplete = true;
  } finally {
    if (isComplete || changed > 0) say(changed);
  }
};
