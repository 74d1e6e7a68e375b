import { limits } from '@simcube/contract';
import {
  type CdrFilter,
  cdrFilterSchema,
  cdrRadioTypes,
  cdrSources,
  naturalDays,
  spanOf,
} from '@simcube/contract/cdr';
import { z } from 'zod';
import { keptLists, listKeySchema } from '../../lib/kept-lists/index.ts';
import { dayParam, instantParam, someOf } from '../../lib/search-params/fields.ts';
import type { Period } from '../../ui/filter-bar/index.ts';

const { identifiers, country, operator, radio, apn, session, source } = cdrFilterSchema.shape;
const identifierSchema = identifiers.unwrap().element;

/** Periods at hand, up to now; the first is shown when none is chosen. */
export const lastPeriods = ['24h', '7d', '31d'] as const;
export type LastPeriod = (typeof lastPeriods)[number];

/** So many identifiers are in the address itself, which then is a link for others, too. */
const simsInAddress = 50;
const listSchema = z.object({ identifiers: z.array(z.string()) });
const lists = keptLists('cdrs', listSchema);

/** The SIMs that an address names or keeps. Undefined when all are meant, and when the list is another tab's. */
export const simsOf = ({ sims, list }: CdrFilterParams): string[] | undefined =>
  list === undefined ? sims : lists.find(list)?.identifiers;

/** The parameters that mean these SIMs. */
export const simParams = (typed: readonly string[] = []): Pick<CdrFilterParams, 'sims' | 'list'> => {
  const sims = [...new Set(typed)].filter((one) => identifierSchema.safeParse(one).success);
  if (sims.length > simsInAddress) {
    return { sims: undefined, list: lists.keep({ identifiers: sims.slice(0, limits.cdrs.identifiers) }) };
  }
  return { sims: sims.length > 0 ? sims : undefined, list: undefined };
};

/** SIMs are meant that this tab does not know: the address came from elsewhere. */
export const listIsMissing = (params: CdrFilterParams): boolean =>
  params.list !== undefined && simsOf(params) === undefined;

/** What narrows usage records, as the address of their list and of their charts holds it. */
export const cdrFilterParams = {
  last: z.enum(lastPeriods),
  /** Days of UTC, both inclusive; instead of `last`. */
  from: dayParam,
  to: dayParam,
  /** Instants, from the first to before the last, instead of days: a bar of a chart by the hour. */
  since: instantParam,
  until: instantParam,
  /** ICCIDs, IMSIs or MSISDNs. */
  sims: someOf(identifierSchema, simsInAddress),
  /** Under which more of them are kept in this tab. */
  list: listKeySchema,
  country: someOf(country.unwrap().element, 250),
  operator: someOf(operator.unwrap().element, 50),
  radio: someOf(radio.unwrap().element, cdrRadioTypes.length),
  apn: someOf(apn.unwrap().element, 20),
  session: session.unwrap(),
  source: someOf(source.unwrap().element, cdrSources.length),
};

export interface CdrFilterParams extends Period {
  last?: LastPeriod | undefined;
  since?: string | undefined;
  until?: string | undefined;
  sims?: CdrFilter['identifiers'];
  list?: string | undefined;
  country?: CdrFilter['country'];
  operator?: CdrFilter['operator'];
  radio?: CdrFilter['radio'];
  apn?: CdrFilter['apn'];
  session?: CdrFilter['session'];
  source?: CdrFilter['source'];
}

export const periodNames: readonly string[] = [
  'last',
  'from',
  'to',
  'since',
  'until',
] satisfies (keyof CdrFilterParams)[];
const noPeriod = { last: undefined, from: undefined, to: undefined, since: undefined, until: undefined };

/** With another period, none of the one before is left. */
export const narrowedBy = (params: CdrFilterParams, more: CdrFilterParams): CdrFilterParams => ({
  ...params,
  ...(Object.keys(more).some((name) => periodNames.includes(name)) ? noPeriod : {}),
  ...more,
});

/** Whether days or instants were chosen, not a period up to now. */
export const isOfDates = ({ from, to, since, until }: CdrFilterParams): boolean =>
  (from ?? to ?? since ?? until) !== undefined;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The first instant of a day of UTC, so many days later. */
const startOf = (day: string, days = 0): Date => new Date(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs);
const today = (now: Date): string => now.toISOString().slice(0, 10);

/** From the first instant to before the last: what the address means at a moment. */
const cdrSpanOf = (
  { last, from, to, since, until }: CdrFilterParams,
  now: Date,
): { from: Date; to: Date } => {
  if (since !== undefined || until !== undefined) return spanOf({ from: since, to: until }, now);
  if (from !== undefined || to !== undefined) return daysOf({ from, to }, now);
  switch (last ?? lastPeriods[0]) {
    case '24h':
      return { from: new Date(now.getTime() - dayMs), to: now };
    case '7d':
      return { from: startOf(today(now), -6), to: now };
    case '31d':
      return { from: startOf(today(now), 1 - limits.cdrs.days), to: now };
  }
};

const daysOf = ({ from, to }: Period, now: Date): { from: Date; to: Date } =>
  spanOf(
    {
      from: from === undefined ? undefined : startOf(from).toISOString(),
      to: to === undefined ? undefined : startOf(to, 1).toISOString(),
    },
    now,
  );

/** What is wrong with days that a person chose: one of the issues that the server finds, too. */
export const spanProblem = (period: Period, now: Date): 'endBeforeStart' | 'spanTooLong' | undefined => {
  const { from, to } = daysOf(period, now);
  if (to <= from) return 'endBeforeStart';
  return naturalDays(from, to) > limits.cdrs.days ? 'spanTooLong' : undefined;
};

/** Whether it spans a day at most, in which a time of day says which one is meant. */
export const isWithinDay = ({ from, to }: Pick<CdrFilter, 'from' | 'to'>): boolean =>
  from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) <= dayMs;

/** The filter as the server takes it, its span with both ends: list and sums are of the same. */
export const cdrFilterOf = (params: CdrFilterParams, now: Date): CdrFilter => {
  const span = cdrSpanOf(params, now);
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    identifiers: simsOf(params),
    country: params.country,
    operator: params.operator,
    radio: params.radio,
    apn: params.apn,
    session: params.session,
    source: params.source,
  };
};
