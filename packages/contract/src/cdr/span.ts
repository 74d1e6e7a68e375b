import type { z } from 'zod';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);

/** From the first instant to before the last; either may be left out. */
export interface AskedSpan {
  from?: string | undefined;
  to?: string | undefined;
}

/** How many natural days (UTC) a span touches; its end belongs to it no longer. */
export const naturalDays = (from: Date, to: Date): number =>
  to <= from ? 0 : dayOf(to.getTime() - 1) - dayOf(from.getTime()) + 1;

/**
 * The span that is meant: up to now when it has no end, and with as many natural days as a question may have when it has
 * no beginning.
 */
export const spanOf = ({ from, to }: AskedSpan, now: Date): { from: Date; to: Date } => {
  const end = to === undefined ? now : new Date(to);
  const first = dayOf(end.getTime() - 1) - limits.cdrs.days + 1;
  return { from: from === undefined ? new Date(first * dayMs) : new Date(from), to: end };
};

const backwards: IssueKey = 'endBeforeStart';
const tooLong: IssueKey = 'spanTooLong';

/** Whether a span has more natural days than a question may have. */
export const isTooLong = ({ from, to }: { from: Date; to: Date }): boolean =>
  naturalDays(from, to) > limits.cdrs.days;

/**
 * "A volume query spans at most 31 natural days" (specification, section 5), for schemas and forms alike. A span without an
 * end is up to now, which a schema does not know: the server looks at it again.
 */
export const checkSpan = ({ from, to }: AskedSpan, context: z.core.$RefinementCtx): void => {
  if (from === undefined || to === undefined) return;
  const span = { from: new Date(from), to: new Date(to) };
  const add = (message: IssueKey) => context.addIssue({ code: 'custom', path: ['to'], message });
  if (span.to < span.from) add(backwards);
  else if (isTooLong(span)) add(tooLong);
};

/**
 * Business days, both inclusive, as those of the dashboard are, as a period of usage records, whose days are of UTC: instants
 * between which the same records lie. Where these touch more natural days than a question may have, as those of a month
 * with 31 days do, the days of UTC of the same names.
 * @param offsetMs that business days are ahead of UTC
 */
export const recordsOfDays = (
  days: { from: string; to: string },
  offsetMs: number,
): { from: string; to: string } | { since: string; until: string } => {
  const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) - offsetMs;
  const span = { from: new Date(startOf(days.from)), to: new Date(startOf(days.to) + dayMs) };
  return isTooLong(span) ? days : { since: span.from.toISOString(), until: span.to.toISOString() };
};
