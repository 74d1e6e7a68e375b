import type { z } from 'zod';

/** What can be wrong with a field: the phrase is `errors.issues.<key>`. */
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
  'invalidUrl',
  'invalidDate',
  'invalidType',
  'invalidNumber',
  'notMultipleOf',
  'notAllowed',
  'unknownField',
  'passwordRule',
  'duplicate',
] as const;
export type IssueKey = (typeof issueKeys)[number];

/** Where in the input the trouble lies, and the phrase for it with its values. */
export interface InputIssue {
  path: string;
  key: IssueKey;
  values?: Record<string, string | number> | undefined;
}

/** A Zod issue as server and form both say it. */
export const inputIssueOf = (issue: z.core.$ZodIssue): InputIssue => {
  const within = nearest(issue);
  const path = [...issue.path, ...(within?.path ?? [])].join('.');
  return { path, ...describe(within ?? issue) };
};

/** What is wrong with the one form of several that was meant: the only one that has just one fault. */
const nearest = (issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined => {
  if (issue.code !== 'invalid_union') return undefined;
  const [only, ...others] = issue.errors.filter((faults) => faults.length === 1);
  return others.length === 0 ? only?.[0] : undefined;
};

const describe = (issue: z.core.$ZodIssue): Omit<InputIssue, 'path'> => {
  // A schema may name its issue itself, where one sentence says the whole rule.
  const named = issueKeys.find((key) => key === issue.message);
  if (named) return { key: named };
  switch (issue.code) {
    case 'too_small': {
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
    case 'invalid_format':
      return { key: formats[issue.format] ?? 'invalidFormat' };
    case 'not_multiple_of':
      return { key: 'notMultipleOf', values: { step: issue.divisor } };
    case 'invalid_value':
      return { key: 'notAllowed' };
    case 'unrecognized_keys':
      return { key: 'unknownField' };
    default:
      return { key: 'invalidFormat' };
  }
};

const formats: Readonly<Record<string, IssueKey>> = {
  email: 'invalidEmail',
  url: 'invalidUrl',
  date: 'invalidDate',
  datetime: 'invalidDate',
};
