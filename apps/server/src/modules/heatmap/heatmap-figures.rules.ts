import { limits } from '@simcube/contract';
import type { Heatmap, HeatmapMetric } from '@simcube/contract/heatmap';
import { daysFrom } from '../../platform/clock/business-day.ts';
import type { Period } from './heatmap.rules.ts';

/** Usage in a network on a day. */
export interface NetworkUsage {
  day: string;
  plmn: number;
  mcc: string | null;
  mnc: string | null;
  operator: string | null;
  country: string | null;
  bytes: number;
}

/** SIMs and sessions of a day: in total (`*`), in a country (plmn -1), or in a network. */
export interface DayCounts {
  day: string;
  /** Empty if unknown. */
  country: string;
  plmn: number;
  sims: number;
  sessions: number;
}

/** Cells with usage in a country; the country is empty if unknown. */
export interface CountryCells {
  country: string;
  cells: number;
}

type Figures = Omit<Heatmap['operators'][number], 'country' | 'mcc' | 'mnc' | 'operator'>;
type Amounts = Record<HeatmapMetric, number>;

/** Sums of one row of the response: of the period by day, and of the previous period. */
class Sum {
  readonly days = new Map<string, Amounts>();
  readonly before: Amounts = { usage: 0, sims: 0, sessions: 0 };

  add(day: string, period: Period, amounts: Partial<Amounts>): void {
    const isOfPeriod = day >= period.from && day <= period.to;
    const target = isOfPeriod ? this.ofDay(day) : this.before;
    for (const metric of metrics) target[metric] += amounts[metric] ?? 0;
  }

  ofDay(day: string): Amounts {
    const found = this.days.get(day) ?? { usage: 0, sims: 0, sessions: 0 };
    this.days.set(day, found);
    return found;
  }
}

const metrics = ['usage', 'sims', 'sessions'] as const;
const noCountry = '';

interface FiguresInput {
  query: Period & { metric: HeatmapMetric; country?: string | undefined; network?: string | undefined };
  /** The days that are over; undefined if none is. */
  compared: Period | undefined;
  before: Period;
  /** The current, incomplete day. */
  today: string;
  /** Days with usage whose SIMs and sessions are not counted. */
  uncounted: ReadonlySet<string>;
  used: readonly NetworkUsage[];
  counted: readonly DayCounts[];
  seen: readonly CountryCells[];
}

/** All figures except hexagons. */
export const figuresOf = (
  sums: FiguresInput,
): Pick<Heatmap, 'uncounted_days' | 'total' | 'days' | 'countries' | 'operators'> => {
  const { query, compared, before, today, uncounted, used, counted, seen } = sums;
  const total = new Sum();
  const countries = new Map<string, Sum>();
  const operators = new Map<number, Sum>();
  const networks = new Map<number, NetworkUsage>();
  for (const row of used) {
    const amounts = { usage: row.bytes };
    total.add(row.day, query, amounts);
    sumOf(countries, row.country ?? noCountry).add(row.day, query, amounts);
    sumOf(operators, row.plmn).add(row.day, query, amounts);
    networks.set(row.plmn, row);
  }
  for (const { day, country, plmn, ...amounts } of counted) {
    if (isTotal(query, { country, plmn })) total.add(day, query, amounts);
    if (plmn === -1 && country !== '*') sumOf(countries, country).add(day, query, amounts);
    if (plmn !== -1) {
      sumOf(operators, plmn).add(day, query, amounts);
      // For a single network, there is no row for its country.
      if (query.network !== undefined) sumOf(countries, country).add(day, query, amounts);
    }
  }
  const days = daysFrom(query.from, query.to);
  const { metric } = query;
  const isCounted = (day: string) => !uncounted.has(day);
  const countedDays = days.filter((day) => day <= today && isCounted(day)).length;
  const uncountedDays = days.filter((day) => !isCounted(day));
  const spans = {
    countedDays: Math.max(1, countedDays),
    compared: compared ? daysFrom(compared.from, compared.to) : [],
    before: daysFrom(before.from, before.to),
    isCounted,
  };
  const seriesOf = (sum: Sum) =>
    days.map((day) => (metric === 'usage' || isCounted(day) ? (sum.days.get(day)?.[metric] ?? 0) : null));
  const ofAll = figures(total, metric, spans);
  const isKnown = countedDays > 0 || uncountedDays.length === 0;
  const byMetric = (a: Figures, b: Figures) => b[metric] - a[metric] || b.usage - a.usage;
  return {
    uncounted_days: uncountedDays,
    total: {
      ...ofAll,
      sims: isKnown ? ofAll.sims : null,
      sessions: isKnown ? ofAll.sessions : null,
      cells: seen.reduce((sum, { cells }) => sum + cells, 0),
    },
    days: seriesOf(total),
    countries: [...countries]
      .map(([country, sum]) => ({
        country: country || null,
        ...figures(sum, metric, spans),
        cells: seen.find((one) => one.country === country)?.cells ?? 0,
        days: seriesOf(sum),
      }))
      .sort((a, b) => byMetric(a, b) || byCode(a.country ?? noCountry, b.country ?? noCountry)),
    operators: [...operators]
      .flatMap(([plmn, sum]) => {
        const network = networks.get(plmn);
        return network ? [{ ...named(network), ...figures(sum, metric, spans) }] : [];
      })
      .sort((a, b) => byMetric(a, b) || byCode(a.mcc + a.mnc, b.mcc + b.mnc))
      .slice(0, limits.heatmap.operators),
  };
};

/** Equal figures always have the same order, independent of the order of the rows. */
const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const isTotal = (
  { country, network }: FiguresInput['query'],
  row: Pick<DayCounts, 'country' | 'plmn'>,
): boolean => {
  if (network !== undefined) return row.plmn !== -1;
  return row.plmn === -1 && row.country === (country ?? '*');
};

const sumOf = <K>(sums: Map<K, Sum>, key: K): Sum => {
  const found = sums.get(key) ?? new Sum();
  sums.set(key, found);
  return found;
};

interface Spans {
  /** Number of days that have begun and are counted, at least 1. */
  countedDays: number;
  compared: readonly string[];
  before: readonly string[];
  isCounted: (day: string) => boolean;
}

const figures = (sum: Sum, metric: HeatmapMetric, spans: Spans): Figures => {
  const whole = { usage: 0, sims: 0, sessions: 0 };
  for (const day of sum.days.values()) for (const one of metrics) whole[one] += day[one];
  const compared = spans.compared.reduce((total, day) => total + (sum.days.get(day)?.[metric] ?? 0), 0);
  const comparable = (amount: number, days: readonly string[]): number | null => {
    if (metric === 'usage' || days.length === 0) return amount;
    const count = days.filter(spans.isCounted).length;
    // An average needs no more than some days, but a sum needs all.
    if (metric === 'sims') return count === 0 ? null : perDay(amount, count);
    return count < days.length ? null : amount;
  };
  return {
    usage: whole.usage,
    sims: perDay(whole.sims, spans.countedDays),
    sessions: whole.sessions,
    compared: comparable(compared, spans.compared),
    before: comparable(sum.before[metric], spans.before),
  };
};

/** A whole number of SIMs; at least one if there are any. */
const perDay = (sims: number, days: number): number =>
  sims === 0 ? 0 : Math.max(1, Math.round(sims / days));

const named = ({ plmn, mcc, mnc, operator, country }: NetworkUsage) => ({
  country,
  mcc: mcc ?? String(Math.floor(plmn / 1000)).padStart(3, '0'),
  mnc: mnc ?? String(plmn % 1000).padStart(2, '0'),
  operator,
});
