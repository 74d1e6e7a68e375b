import { limits } from '@simcube/contract';
import {
  type CdrFilter,
  cdrFilterSchema,
  cdrRadioTypes,
  cdrSources,
  completeSpan,
  countNaturalDays,
} from '@simcube/contract/cdr';
import { dayMs } from '@simcube/contract/time';
import { z } from 'zod';
import { listKeySchema, maxSimsInUrl, type SimsInUrl, simsInUrl } from '../../lib/list-store/index.ts';
import { dayParam, instantParam, someOf } from '../../lib/search-params/fields.ts';
import type { Period } from '../../ui/filter-bar/index.ts';

const { identifiers, country, operator, radio, apn, session, source } = cdrFilterSchema.shape;
const identifierSchema = identifiers.unwrap().element;
export const sessionSchema = session.unwrap();
/** Of an ICCID, a hyphen and a key. */
export const maxSessionLength = 40;

/** Suggested periods, up to now; the first is the default. */
export const lastPeriods = ['24h', '7d', '31d'] as const;
export type LastPeriod = (typeof lastPeriods)[number];

export const cdrSims = simsInUrl({
  kind: 'cdrs',
  identifier: identifierSchema,
  max: limits.cdrs.identifiers,
});
export const { simsOf, listIsMissing } = cdrSims;

/** Filters of usage records, as in the URL of their list and of their charts. */
export const cdrFilterParams = {
  last: z.enum(lastPeriods),
  /** Days of UTC, both inclusive; instead of `last`. */
  from: dayParam,
  to: dayParam,
  /** Instants instead of days, the first inclusive and the last exclusive: for a bar of an hourly chart. */
  since: instantParam,
  until: instantParam,
  /** ICCIDs, IMSIs or MSISDNs. */
  sims: someOf(identifierSchema, maxSimsInUrl),
  /** The key under which this tab stores a longer list. */
  list: listKeySchema,
  country: someOf(country.unwrap().element, 250),
  operator: someOf(operator.unwrap().element, 50),
  radio: someOf(radio.unwrap().element, cdrRadioTypes.length),
  apn: someOf(apn.unwrap().element, 20),
  session: sessionSchema,
  source: someOf(source.unwrap().element, cdrSources.length),
};

export interface CdrFilterParams extends Period, SimsInUrl {
  last?: LastPeriod | undefined;
  since?: string | undefined;
  until?: string | undefined;
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

/** A new period replaces the previous one completely. */
export const withFilter = (params: CdrFilterParams, changes: CdrFilterParams): CdrFilterParams => ({
  ...params,
  ...(Object.keys(changes).some((name) => periodNames.includes(name)) ? noPeriod : {}),
  ...changes,
});

/** Whether days or instants were chosen, not a period up to now. */
export const hasDates = ({ from, to, since, until }: CdrFilterParams): boolean =>
  (from ?? to ?? since ?? until) !== undefined;

/** The first instant of a day of UTC, `days` later. */
const startOf = (day: string, days = 0): Date => new Date(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs);
const today = (now: Date): string => now.toISOString().slice(0, 10);

/** The span that the URL means at a given moment; start inclusive, end exclusive. */
const cdrSpanOf = (
  { last, from, to, since, until }: CdrFilterParams,
  now: Date,
): { from: Date; to: Date } => {
  if (since !== undefined || until !== undefined) return completeSpan({ from: since, to: until }, now);
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
  completeSpan(
    {
      from: from === undefined ? undefined : startOf(from).toISOString(),
      to: to === undefined ? undefined : startOf(to, 1).toISOString(),
    },
    now,
  );

/** The error in the chosen days: one of the issues that the server also reports. */
export const spanProblem = (period: Period, now: Date): 'endBeforeStart' | 'spanTooLong' | undefined => {
  const { from, to } = daysOf(period, now);
  if (to <= from) return 'endBeforeStart';
  return countNaturalDays(from, to) > limits.cdrs.days ? 'spanTooLong' : undefined;
};

/** A first day alone is the start of a period of as many days as possible, if more have passed since. */
export const completePeriod = (period: Period, now: Date): Period =>
  period.from !== undefined && period.to === undefined && spanProblem(period, now) === 'spanTooLong'
    ? {
        from: period.from,
        to: startOf(period.from, limits.cdrs.days - 1)
          .toISOString()
          .slice(0, 10),
      }
    : period;

/** Whether it spans at most a day, so that a time of day is unambiguous. */
export const isWithinDay = ({ from, to }: Pick<CdrFilter, 'from' | 'to'>): boolean =>
  from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) <= dayMs;

/** The filter in the server's format, with both ends of its span, so that list and sums cover the same. */
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
