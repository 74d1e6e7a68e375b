import type { z } from 'zod';
import type { IssueKey } from './issues.ts';

const endBeforeStart: IssueKey = 'endBeforeStart';

/** The names of ends, of periods and ranges (`…from` and `…to`, `…_min` and `…_max`), that are before their starts. */
export const reversedEnds = (values: object): { end: string; start: string | number }[] => {
  const byName = new Map<string, unknown>(Object.entries(values));
  return [...byName].flatMap(([name, start]) => {
    const end = name.replace(/(^|_)from$/, '$1to').replace(/_min$/, '_max');
    return end !== name && isReversed(start, byName.get(end)) ? [{ end, start }] : [];
  });
};

const isReversed = (start: unknown, end: unknown): start is string | number =>
  typeof start === 'number' && typeof end === 'number'
    ? end < start
    : typeof start === 'string' && typeof end === 'string' && Date.parse(end) < Date.parse(start);

/** Refuses periods and ranges that are the wrong way round: nothing would be found, as if there were nothing. */
export const checkOrder = (values: object, context: z.core.$RefinementCtx): void => {
  for (const { end, start } of reversedEnds(values))
    context.addIssue(
      typeof start === 'number'
        ? { code: 'too_small', origin: 'number', minimum: start, inclusive: true, input: values, path: [end] }
        : { code: 'custom', message: endBeforeStart, path: [end] },
    );
};
