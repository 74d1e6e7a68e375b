import type { CdrSums } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import type { CdrFilterParams } from '../filter.ts';

/** The span of an hour's bar: the span of the chart may cut the first and the last. */
export const hourOf = (key: string, { from, to }: Pick<CdrSums, 'from' | 'to'>): CdrFilterParams => {
  const end = new Date(Date.parse(key) + hourMs).toISOString();
  return { since: key > from ? key : from, until: end < to ? end : to };
};

/** The span of a day's bar: the whole day, unless chosen instants cut it. */
export const dayOf = (
  day: string,
  { since, until }: Pick<CdrFilterParams, 'since' | 'until'>,
): CdrFilterParams => {
  const start = `${day}T00:00:00.000Z`;
  const end = new Date(Date.parse(start) + 24 * hourMs).toISOString();
  const first = since !== undefined && since > start ? since : start;
  const last = until !== undefined && until < end ? until : end;
  return first === start && last === end ? { from: day, to: day } : { since: first, until: last };
};
