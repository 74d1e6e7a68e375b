import { endpoints } from '@simcube/contract';
import type { CdrGrouping } from '@simcube/contract/cdr';
import { dayMs } from '@simcube/contract/time';
import { frequentApn, rareApn, rareCountry, rareOperator } from './cdr-records.ts';
import { iccidOf, orgCode } from './fleet.ts';
import type { TimedCall } from './timed-calls.ts';

const { list, sums, listOfSim, sumsOfSim } = endpoints.cdr;
export const params = { partnerCode: orgCode };
const spanDays = 31;
/** Number of SIMs in a filter by identifiers, spread over all SIMs. */
const manySims = 1000;

export interface QueryScope {
  /** End of the records: the first instant without records, at midnight. */
  end: Date;
  /** Number of days before it with records. */
  days: number;
  sims: number;
}

const daysBefore = (end: Date, count: number): Date => new Date(end.getTime() - count * dayMs);

/** The longest allowed span, at a different position in each attempt. */
const spanOf = ({ end, days }: QueryScope, attempt: number): { from: string; to: string } => {
  const to = daysBefore(end, (attempt * 37) % Math.max(1, days - spanDays + 1));
  return { from: daysBefore(to, spanDays).toISOString(), to: to.toISOString() };
};

const sampleSims = ({ sims }: QueryScope): string[] =>
  Array.from({ length: Math.min(sims, manySims) }, (_, n) => iccidOf(Math.floor((n * sims) / manySims)));

/** A SIM with many records, and one with few. */
const exampleSims = ({ sims }: QueryScope) => ({ busy: iccidOf(1), quiet: iccidOf(sims - 2) });

interface NamedFilter {
  name: string;
  filter: Record<string, unknown>;
}

/** Each filter alone, with values that occur in many records and in few. */
const filters = (scope: QueryScope): NamedFilter[] => {
  const { busy, quiet } = exampleSims(scope);
  return [
    { name: 'no filter', filter: {} },
    { name: 'a busy SIM', filter: { identifiers: [busy] } },
    { name: 'a quiet SIM', filter: { identifiers: [quiet] } },
    { name: '1,000 SIMs', filter: { identifiers: sampleSims(scope) } },
    { name: 'a frequent country', filter: { country: ['DE'] } },
    { name: 'a rare country', filter: { country: [rareCountry] } },
    { name: 'an absent country', filter: { country: ['JP'] } },
    { name: 'a frequent operator', filter: { operator: ['998-01'] } },
    { name: 'a rare operator', filter: { operator: [rareOperator] } },
    { name: 'a frequent radio type', filter: { radio: ['4G'] } },
    { name: 'a rare radio type', filter: { radio: ['2G'] } },
    { name: 'a frequent APN', filter: { apn: [frequentApn] } },
    { name: 'a rare APN', filter: { apn: [rareApn] } },
    { name: 'an absent APN', filter: { apn: ['absent.example'] } },
    { name: 'a frequent source', filter: { source: ['radius'] } },
    { name: 'a seldom source', filter: { source: ['file'] } },
    { name: 'rare country, frequent APN', filter: { country: [rareCountry], apn: [frequentApn] } },
    { name: 'rare APN of 1,000 SIMs', filter: { apn: [rareApn], identifiers: sampleSims(scope) } },
  ];
};

export const listCalls = (scope: QueryScope, session: string): TimedCall[] => {
  const span = (attempt: number) => spanOf(scope, attempt);
  const body = (name: string, more: Record<string, unknown>): TimedCall => ({
    name: `list, ${name}`,
    endpoint: list,
    request: (attempt) => ({ params, body: { ...span(attempt), ...more } }),
  });
  return [
    ...filters(scope).map(({ name, filter }) => body(name, filter)),
    body('a session', { session }),
    body('the earliest first', { sort: 'ended_at' }),
    body('a rare APN, the earliest first', { apn: [rareApn], sort: 'ended_at' }),
    body('page 60', { page_no: 60 }),
    body('a rare APN, page 2', { apn: [rareApn], page_no: 2 }),
    {
      name: 'list of a busy SIM',
      endpoint: listOfSim,
      request: (attempt) => ({ params: { iccid: exampleSims(scope).busy }, query: span(attempt) }),
    },
  ];
};

const groupings: CdrGrouping[] = [
  'hour',
  'day',
  'country',
  'operator',
  'radio',
  'day_radio',
  'day_operator',
  'sim',
];

const dayKey = `strftime(ended_at, '%Y-%m-%d')`;
/** DuckDB's expressions for the same groups. Each country has two networks. */
const duckKeys: Record<CdrGrouping, string> = {
  hour: `date_trunc('hour', ended_at)`,
  day: dayKey,
  country: '(plmn - 998001) // 2',
  operator: 'plmn',
  radio: 'radio',
  day_radio: `${dayKey}, radio`,
  day_operator: `${dayKey}, plmn`,
  sim: 'sim_id',
};

export interface SumsCall extends TimedCall {
  /** The same query for DuckDB, by attempt. */
  duck?: (attempt: number) => string;
}

export const sumsCalls = (scope: QueryScope): SumsCall[] => {
  const call = (name: string, more: Record<string, unknown>, duck?: string): SumsCall => ({
    name: `sums ${name}`,
    endpoint: sums,
    request: (attempt) => ({ params, body: { ...spanOf(scope, attempt), ...more } }),
    ...(duck === undefined ? {} : { duck: (attempt) => duckQuery(duck, spanOf(scope, attempt)) }),
  });
  return [
    call('of all', {}, "''"),
    ...groupings.map((grouping) => call(`by ${grouping}`, { group_by: [grouping] }, duckKeys[grouping])),
    call('as the charts ask', { group_by: ['day', 'country', 'operator', 'radio'], before: true }),
    ...filters(scope).map(({ name, filter }) => call(`by day, ${name}`, { group_by: ['day'], ...filter })),
    {
      name: 'sums by day, from half past ten to a quarter to four',
      endpoint: sums,
      request: (attempt) => {
        const { from, to } = spanOf(scope, attempt);
        const edges = {
          from: from.replace('T00:00', 'T10:30'),
          to: daysBefore(new Date(to), 1).toISOString().replace('T00:00', 'T15:45'),
        };
        return { params, body: { ...edges, group_by: ['day'] } };
      },
    },
    {
      name: 'sums of a busy SIM by day',
      endpoint: sumsOfSim,
      request: (attempt) => ({
        params: { ...params, iccid: exampleSims(scope).busy },
        query: { ...spanOf(scope, attempt), group_by: 'day' },
      }),
    },
  ];
};

const duckQuery = (key: string, { from, to }: { from: string; to: string }): string => `
  select ${key}, count(*), sum(up_bytes), sum(down_bytes), count(distinct sim_id), count(distinct session_key)
  from records where ended_at >= timestamp '${from.slice(0, 19)}' and ended_at < timestamp '${to.slice(0, 19)}'
  group by all order by 4 desc limit 1000`;
