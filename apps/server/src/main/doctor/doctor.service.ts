import {
  type Check,
  type Finding,
  type FindingState,
  type Installation,
  reasonOf,
  skipped,
} from './check.ts';
import { databaseChecks } from './database.checks.ts';
import { readClock } from './doctor.views.ts';
import { surroundingsChecks } from './surroundings.checks.ts';
import { within } from './within.ts';
import { workChecks } from './work.checks.ts';

export interface Found extends Finding {
  check: string;
}

const everyCheck: readonly Check[] = [...databaseChecks, ...surroundingsChecks, ...workChecks];
const timeLimitMs = 5_000;

/** Runs all checks, each with its own time limit, so that no problem hides another. */
export const examine = async (
  installation: Installation,
  { checks = everyCheck, limitMs = timeLimitMs } = {},
): Promise<Found[]> => {
  const isReachable = await answers(installation, limitMs);
  return Promise.all(
    checks.map(async (check): Promise<Found> => {
      const finding =
        check.needsDatabase && !isReachable
          ? skipped('The database does not answer')
          : await findingOf(check, installation, limitMs);
      return { check: check.name, ...finding };
    }),
  );
};

const findingOf = async (check: Check, installation: Installation, limitMs: number): Promise<Finding> => {
  try {
    return await within(limitMs, check.run(installation));
  } catch (error) {
    return (await check.unanswered?.(error, installation)) ?? skipped(sentenceOf(reasonOf(error)));
  }
};

/** SQLSTATE 42P01, undefined_table: the database is new, or of an older version. */
const sentenceOf = (reason: string): string =>
  reason === '42P01'
    ? 'Its table does not exist yet: a server creates it when it starts'
    : `The check failed (${reason})`;

export const answers = ({ pool }: Pick<Installation, 'pool'>, limitMs: number): Promise<boolean> =>
  within(limitMs, readClock(pool)).then(
    () => true,
    () => false,
  );

/** 0: no problems; 1: warnings; 2: failures. */
export const exitCodeOf = (found: readonly { state: FindingState }[]): number => {
  if (found.some(({ state }) => state === 'fail')) return 2;
  return found.some(({ state }) => state === 'warn') ? 1 : 0;
};
