import {
  type Check,
  type Finding,
  type FindingState,
  type Installation,
  invalidOf,
  notChecked,
  reasonOf,
  skipped,
} from './check.ts';
import { databaseChecks } from './database.checks.ts';
import { readClock } from './doctor.views.ts';
import { environmentChecks } from './environment.checks.ts';
import { withTimeLimit } from './time-limit.ts';
import { workChecks } from './work.checks.ts';

export interface CheckResult extends Finding {
  check: string;
}

const allChecks: readonly Check[] = [...databaseChecks, ...environmentChecks, ...workChecks];
const timeLimitMs = 5_000;

/** Runs all checks, each with its own time limit, so that no problem hides another. */
export const runChecks = async (
  installation: Installation,
  { checks = allChecks, limitMs = timeLimitMs } = {},
): Promise<CheckResult[]> => {
  const isReachable = await isDatabaseReachable(installation, limitMs);
  return Promise.all(
    checks.map(async (check): Promise<CheckResult> => {
      const { name, needsDatabase, settings = [] } = check;
      const invalid = invalidOf(installation.env, needsDatabase ? ['DATABASE_URL', ...settings] : settings);
      if (invalid) return { check: name, ...notChecked(invalid) };
      const finding =
        needsDatabase && !isReachable
          ? skipped('The database does not answer')
          : await findingOf(check, installation, limitMs);
      return { check: name, ...finding };
    }),
  );
};

const findingOf = async (check: Check, installation: Installation, limitMs: number): Promise<Finding> => {
  try {
    return await withTimeLimit(limitMs, check.run(installation));
  } catch (error) {
    return (await check.unanswered?.(error, installation)) ?? skipped(sentenceOf(reasonOf(error)));
  }
};

/** SQLSTATE 42P01, undefined_table: the database is new, or of an older version. */
const sentenceOf = (reason: string): string =>
  reason === '42P01'
    ? 'Its table does not exist yet: a server creates it when it starts'
    : `The check failed (${reason})`;

export const isDatabaseReachable = (
  { pool }: Pick<Installation, 'pool'>,
  limitMs: number,
): Promise<boolean> =>
  withTimeLimit(limitMs, readClock(pool)).then(
    () => true,
    () => false,
  );

/** 0: no problems; 1: warnings; 2: failures. */
export const exitCodeOf = (results: readonly { state: FindingState }[]): number => {
  if (results.some(({ state }) => state === 'fail')) return 2;
  return results.some(({ state }) => state === 'warn') ? 1 : 0;
};
