import { defaultLanguage, toInputIssues } from '@simcube/contract';
import { errorText, phrase } from '@simcube/phrases';
import pg from 'pg';
import { z } from 'zod';
import { Failure } from '../http/index.ts';
import { databaseSentence, databaseStopped } from './database-sentences.ts';

/** Maximum number of issues reported at a time; the next ones appear after these are fixed. */
const issuesShown = 5;

/**
 * An error as the operator at the command line reads it: a sentence (or a few lines), never a library's raw
 * form. Only this module knows all kinds of errors.
 */
export const sentenceOf = (error: unknown): string => readable(messageOf(error));

const maxLineLength = 500;

/** Text from outside must neither send control characters to the operator's terminal nor flood it. */
export const readable = (text: string): string =>
  text
    .replaceAll(/[^\P{Cc}\n\t]+/gu, ' ')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .split('\n')
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
    .join('\n');

const messageOf = (error: unknown): string => {
  if (error instanceof Failure) return failureSentence(error);
  if (error instanceof z.ZodError) return issueSentences(error).join('\n');
  if (error instanceof pg.DatabaseError) return databaseSentence(error);
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  if (/^Connection terminated/.test(error.message)) return databaseStopped;
  const system = systemSentence(error);
  if (system !== undefined) return system;
  return isWrittenForPeople(error)
    ? error.message
    : `Unexpected error (${error.name}: ${error.message}). SIMCUBE_LOG_LEVEL=debug shows where.`;
};

const failureSentence = ({ code, values, issues = [] }: Failure): string => {
  const message = errorText(defaultLanguage, code, values);
  const places = issues.slice(0, issuesShown).map(({ path, key, values: limits }) => {
    const what = phrase(defaultLanguage, `errors.issues.${key}`, limits);
    return path === '' ? what : `${path}: ${what}`;
  });
  return places.length > 0 ? places.join('\n') : message;
};

/**
 * One line for each of the first issues: where it is, and what is wrong.
 * @param linePrefix the start of a line, by the path of its issue; for an unknown key the path ends with the key
 */
export const issueSentences = (
  error: z.core.$ZodError,
  linePrefix: (path: readonly PropertyKey[]) => string = () => '',
): string[] => {
  const { issues } = error;
  const lines = issues.slice(0, issuesShown).map((issue) => {
    const [first] = toInputIssues(issue);
    const path = issue.code === 'unrecognized_keys' ? issue.path.join('.') : (first?.path ?? '');
    const key = first?.key ?? 'invalidFormat';
    const what = hintOf(issue) ?? phrase(defaultLanguage, `errors.issues.${key}`, first?.values);
    const sentence = /[.!?]$/.test(what) ? what : `${what}.`;
    const prefix = linePrefix(
      issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path,
    );
    return path === '' ? `${prefix}${sentence}` : `${prefix}${path}: ${sentence}`;
  });
  const more = issues.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more.`] : lines;
};

/** What a command-line user needs in addition to the texts for forms: the possible names and values. */
const hintOf = (issue: z.core.$ZodIssue): string | undefined => {
  if (issue.code === 'unrecognized_keys')
    return `unknown here: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  if (issue.code === 'invalid_value' && issue.values.length > 0)
    return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
  // The schema's own sentence for people who write files; Zod's default message says nothing useful.
  if (issue.code === 'custom' && / /.test(issue.message) && issue.message !== 'Invalid input')
    return issue.message;
  return undefined;
};

const unreachableCodes = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'];

/** Errors of the operating system: a missing file, a database that does not respond. */
const systemSentence = (error: Error): string | undefined => {
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : error;
  const { code, path, address, port, hostname } = (first ?? error) as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  if (code === undefined) return undefined;
  if (code === 'ENOENT' && path !== undefined) return `There is no file ${path}`;
  if (code === 'EEXIST' && path !== undefined) return `The file ${path} already exists`;
  if (code === 'ERR_INVALID_ARG_VALUE') return 'A file name or argument contains invalid characters';
  if (code === 'ENAMETOOLONG') return 'A file name is too long';
  if (code === 'EISDIR')
    return path === undefined ? 'Expected a file, not a directory' : `${path} is a directory`;
  if ((code === 'EACCES' || code === 'EPERM') && path !== undefined)
    return `${path} can't be opened: the user running this command has no permission`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${hostname ?? ''} of the database is unknown (${code}): check DATABASE_URL`;
  if (unreachableCodes.includes(code)) {
    const where = address === undefined ? 'The database' : `The database at ${address}:${port ?? ''}`;
    return `${where} does not answer (${code})`;
  }
  return undefined;
};

/** Errors that the code throws for people to read, as opposed to bugs. */
const isWrittenForPeople = (error: Error): boolean =>
  !['TypeError', 'RangeError', 'ReferenceError', 'AssertionError', 'EvalError'].includes(error.name) &&
  error.message !== '';
