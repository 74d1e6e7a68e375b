import type { z } from 'zod';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { dayMs } from '../time.ts';

const dayOf = (at: number): number => Math.floor(at / dayMs);

/** A span from `from` (inclusive) to `to` (exclusive); either may be omitted. */
export interface PartialSpan {
  from?: string | undefined;
  to?: string | undefined;
}

/** Number of natural days (UTC) that a span touches; its end is exclusive. */
export const countNaturalDays = (from: Date, to: Date): number =>
  to <= from ? 0 : dayOf(to.getTime() - 1) - dayOf(from.getTime()) + 1;

/**
 * Completes a span: without an end it ends now; without a beginning it has the maximum number of natural days of a query.
 */
export const completeSpan = ({ from, to }: PartialSpan, now: Date): { from: Date; to: Date } => {
  const end = to === undefined ? now : new Date(to);
  const firstDay = dayOf(end.getTime() - 1) - limits.cdrs.days + 1;
  return { from: from === undefined ? new Date(firstDay * dayMs) : new Date(from), to: end };
};

const endBeforeStart: IssueKey = 'endBeforeStart';
const spanTooLong: IssueKey = 'spanTooLong';

/** Whether a span has more natural days than a query may have. */
export const isTooLong = ({ from, to }: { from: Date; to: Date }): boolean =>
  countNaturalDays(from, to) > limits.cdrs.days;

/**
 * "A volume query spans at most 31 natural days" (specification, section 5), for schemas and forms. A span without an end
 * ends now, which a schema does not know: the server checks such a span again.
 */
export const checkSpan = ({ from, to }: PartialSpan, context: z.core.$RefinementCtx): void => {
  if (from === undefined || to === undefined) return;
  const span = { from: new Date(from), to: new Date(to) };
  const report = (message: IssueKey) => context.addIssue({ code: 'custom', path: ['to'], message });
  if (span.to < span.from) report(endBeforeStart);
  else if (isTooLong(span)) report(spanTooLong);
};

/**
 * Converts business days (inclusive, as on the dashboard) to a span of usage records, which are queried by days of UTC: the
 * instants that enclose the same records. If that span would touch more natural days than a query may have, as for a month
 * of 31 days, returns the days of UTC with the same dates.
 * @param offsetMs by how much business days are ahead of UTC
 */
export const recordSpanOfDays = (
  days: { from: string; to: string },
  offsetMs: number,
): { from: string; to: string } | { since: string; until: string } => {
  const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) - offsetMs;
  const span = { from: new Date(startOf(days.from)), to: new Date(startOf(days.to) + dayMs) };
  return isTooLong(span) ? days : { since: span.from.toISOString(), until: span.to.toISOString() };
};
