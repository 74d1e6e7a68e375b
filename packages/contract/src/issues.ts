import type { z } from 'zod';
import { limits } from './limits.ts';

/** Possible issues of a field; the phrase is `errors.issues.<key>`. */
export const issueKeys = [
  'required',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooBig',
  'tooFew',
  'tooMany',
  'invalidFormat',
  'invalidEmail',
  'invalidPhone',
  'invalidIccid',
  'invalidUrl',
  'httpsUrl',
  'internalUrl',
  'urlPort',
  'invalidDate',
  'utcTime',
  'timePassed',
  'endBeforeStart',
  'spanTooLong',
  'hoursNotRetained',
  'narrowThis',
  'invalidType',
  'invalidNumber',
  'notMultipleOf',
  'notAllowed',
  'unknownField',
  'repeatedField',
  'passwordRule',
  'duplicate',
  'tagSeparator',
  'repeatedRow',
  'templateField',
  'lineBreak',
  'controlCharacter',
  'invisibleText',
  'brokenText',
] as const;
export type IssueKey = (typeof issueKeys)[number];

/** Position of an issue in the input, and its phrase with values. */
export interface InputIssue {
  path: string;
  key: IssueKey;
  values?: Record<string, string | number> | undefined;
}

/** Converts a Zod issue to the form that server and console show; each unknown key becomes a separate issue. */
export const toInputIssues = (issue: z.core.$ZodIssue): InputIssue[] => {
  if (issue.code === 'invalid_union') {
    const nested = issuesOfUnion(issue);
    if (nested.length > 0)
      return nested.flatMap(toInputIssues).map(({ path, ...rest }) => ({
        path: [...issue.path, ...(path === '' ? [] : [path])].join('.'),
        ...rest,
      }));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const field = key.slice(0, maxKeyLength);
      return { path: [...issue.path, field].join('.'), key: 'unknownField', values: { field } };
    });
  }
  return [{ path: issue.path.join('.'), ...describe(issue) }];
};

/** Characters of an unknown key to show: enough to find it by. */
const maxKeyLength = 60;

/**
 * Issues of a union: those of the only option with exactly one issue, which is probably the one that was meant; otherwise the
 * keys that no option has.
 */
const issuesOfUnion = ({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] => {
  const [only, ...others] = errors.filter((issues) => issues.length === 1);
  if (only && others.length === 0) return only;
  const [first = [], ...rest] = errors.map(unknownKeys);
  const unknownInAll = first.filter((key) => rest.every((keys) => keys.includes(key)));
  return unknownInAll.length === 0
    ? []
    : [{ code: 'unrecognized_keys', keys: unknownInAll, path: [], message: '' }];
};

/** Unknown keys at the top level of one option. */
const unknownKeys = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );

const describe = (issue: z.core.$ZodIssue): Omit<InputIssue, 'path'> => {
  // A schema may name its issue itself if a single message describes the whole rule.
  const ownKey = issueKeys.find((key) => key === issue.message);
  if (ownKey) return { key: ownKey, values: ruleValues[ownKey] };
  switch (issue.code) {
    case 'too_small': {
      if (issue.origin === 'date')
        return {
          key: 'tooSmall',
          values: { min: new Date(Number(issue.minimum)).toISOString().slice(0, 10) },
        };
      const min = Number(issue.minimum);
      if (issue.origin === 'string')
        return min <= 1 ? { key: 'required' } : { key: 'tooShort', values: { min } };
      return { key: issue.origin === 'array' ? 'tooFew' : 'tooSmall', values: { min } };
    }
    case 'too_big': {
      const max = Number(issue.maximum);
      if (issue.origin === 'string') return { key: 'tooLong', values: { max } };
      return { key: issue.origin === 'array' ? 'tooMany' : 'tooBig', values: { max } };
    }
    case 'invalid_type':
      if (issue.input === undefined) return { key: 'required' };
      return {
        key: issue.expected === 'number' || issue.expected === 'int' ? 'invalidNumber' : 'invalidType',
      };
    case 'invalid_union':
      return { key: isMissing(issue) ? 'required' : 'invalidFormat' };
    case 'invalid_format':
      return { key: formats[issue.format] ?? 'invalidFormat' };
    case 'not_multiple_of':
      return { key: 'notMultipleOf', values: { step: issue.divisor } };
    case 'invalid_value':
      // Issues of forms do not include the input: their fields always have a value.
      return { key: 'input' in issue && issue.input === undefined ? 'required' : 'notAllowed' };
    default:
      return { key: 'invalidFormat' };
  }
};

/** Whether the value itself is missing, or the field that decides between the options. */
const isMissing = (issue: z.core.$ZodIssueInvalidUnion): boolean => {
  if (!('input' in issue)) return false;
  const decisive = issue.discriminator;
  return (
    issue.input === undefined ||
    (decisive !== undefined && (issue.input as Record<string, unknown>)[decisive] === undefined)
  );
};

/** Bounds that the message of a whole rule contains. */
const ruleValues: Readonly<Partial<Record<IssueKey, InputIssue['values']>>> = {
  spanTooLong: { max: limits.cdrs.days },
  passwordRule: { min: limits.password.min, max: limits.password.max },
};

const formats: Readonly<Record<string, IssueKey>> = {
  email: 'invalidEmail',
  url: 'invalidUrl',
  date: 'invalidDate',
  datetime: 'utcTime',
};
