import { limits, unknownCountry } from '@simcube/contract';
import type { Heatmap, HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { radioTypes } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { addDays, dashboardDays, daysFrom } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type Coordinates, indexOf, shapeOf } from '../place/index.ts';
import {
  type Box,
  coarsest,
  completeDays,
  isWithin,
  monthsOf,
  type Outline,
  outlineOf,
  type Period,
  periodBefore,
  type Ranges,
  rangesOf,
  reachOf,
  resolutionOf,
} from './heatmap.rules.ts';
import { type CountryCells, type DayCounts, figuresOf, type NetworkUsage } from './heatmap-figures.rules.ts';
import { daysPerGroup, forEachHexagon, groupStart } from './hexagon-packs.rules.ts';

export interface HeatmapQuery extends Period {
  orgId: number;
  now: Date;
  metric: HeatmapMetric;
  country?: string | undefined;
  /** MCC and MNC. */
  network?: string | undefined;
  radio?: (typeof radioTypes)[number] | undefined;
}

export const plmnOf = (network: string): number => {
  const [mcc, mnc] = network.split('-').map(Number);
  return (mcc ?? 0) * 1000 + (mnc ?? 0);
};
export const radioOf = ({ radio }: Pick<HeatmapQuery, 'radio'>): number =>
  radio === undefined ? -1 : radioTypes.indexOf(radio) + 1;

/** A country as used in sums and figures: empty if unknown. */
export const storedCountry = <C extends string | undefined>(country: C): C | '' =>
  country === unknownCountry ? '' : country;

/** Usage as counted by intake; SIMs and sessions as of the last computation of their days. */
export const getHeatmap = async (sql: Sql, rawQuery: HeatmapQuery): Promise<Heatmap> => {
  const { now } = rawQuery;
  const query = { ...rawQuery, country: storedCountry(rawQuery.country) };
  const today = dashboardDays.dayOf(now);
  const compared = completeDays(query, today);
  const before = periodBefore(compared ?? query);
  const [used, counted, seen, uncounted] = await Promise.all([
    readUsed(sql, query, before),
    readCounted(sql, query, before),
    readSeen(sql, query),
    readUncounted(sql, query, before),
  ]);
  const figures = figuresOf({ query, compared, before, today, uncounted, used, counted, seen });
  const provisional = new Date(now.getTime() - limits.provisionalHours * hourMs);
  return {
    period: { from: query.from, to: query.to },
    compared: compared ?? null,
    before,
    provisional_from: provisional.toISOString(),
    ...figures,
  };
};

const readUsed = async (sql: Sql, query: HeatmapQuery, before: Period): Promise<NetworkUsage[]> => {
  const { rows } = await sql.query<NetworkUsage>(
    `select u.day_on as day, u.plmn, n.mcc, n.mnc, n.operator, n.country, u.bytes
     from (select day_on, plmn, sum(up_bytes + down_bytes)::bigint as bytes from org_usage_daily
       where org_id = $1 and (day_on between $2 and $3 or day_on between $4 and $5)
         and ($6 = -1 or radio = $6) and ($7 = -1 or plmn = $7) group by 1, 2) u
     left join networks n on n.plmn = u.plmn where $8::text is null or coalesce(n.country, '') = $8`,
    [...keysOf(query, before), query.country ?? null],
  );
  return rows;
};

const readCounted = async (sql: Sql, query: HeatmapQuery, before: Period): Promise<DayCounts[]> => {
  const { rows } = await sql.query<DayCounts>(
    `select day_on as day, country, plmn, sims, sessions from heatmap_counts
     where org_id = $1 and (day_on between $2 and $3 or day_on between $4 and $5) and radio = $6
       and ($7 = -1 or plmn = $7) and ($8::text is null or country = $8)`,
    [...keysOf(query, before), query.country ?? null],
  );
  return rows;
};

/** Days with usage that were never computed. */
const readUncounted = async (
  sql: Sql,
  { orgId, from, to }: HeatmapQuery,
  before: Period = { from, to },
): Promise<Set<string>> => {
  const { rows } = await sql.query<{ day: string }>(
    `select distinct u.day_on as day from org_usage_daily u
     left join heatmap_days h on h.org_id = u.org_id and h.day_on = u.day_on
     where u.org_id = $1 and (u.day_on between $2 and $3 or u.day_on between $4 and $5) and h.day_on is null`,
    [orgId, from, to, before.from, before.to],
  );
  return new Set(rows.map(({ day }) => day));
};

/** The number of cells with usage in each country. */
const readSeen = async (sql: Sql, query: HeatmapQuery): Promise<CountryCells[]> => {
  const months = monthsOf(query);
  const { rows } = await sql.query<CountryCells>(
    `select coalesce(n.country, '') as country, count(*)::int as cells
     from (select c.plmn, c.cell from unnest($2::date[], $3::int[]) m (month, days)
         join heatmap_cells c on c.org_id = $1 and c.month = m.month and c.days & m.days <> 0
       where ($4 = -1 or c.radio = $4) and ($5 = -1 or c.plmn = $5) group by 1, 2) seen
     left join networks n on n.plmn = seen.plmn where $6::text is null or coalesce(n.country, '') = $6 group by 1`,
    [
      query.orgId,
      months.map(({ month }) => month),
      months.map(({ days }) => days),
      radioOf(query),
      query.network === undefined ? -1 : plmnOf(query.network),
      query.country ?? null,
    ],
  );
  return rows;
};

const keysOf = (query: HeatmapQuery, before: Period) => [
  query.orgId,
  query.from,
  query.to,
  before.from,
  before.to,
  radioOf(query),
  query.network === undefined ? -1 : plmnOf(query.network),
];

/** The time up to which all days are computed: now, unless records have arrived since a day's computation. */
export const computedAt = async (sql: Sql, { orgId, from, to, now }: HeatmapQuery): Promise<Date> => {
  const { rows } = await sql.query<{ at: Date | null }>(
    `select min(coalesce(h.computed_at, (u.day_on::timestamp - make_interval(mins => $4)) at time zone 'UTC')) as at
     from (select day_on, sum(records) as records from org_usage_daily
       where org_id = $1 and day_on between $2 and $3 group by 1) u
     left join heatmap_days h on h.org_id = $1 and h.day_on = u.day_on
     where h.records is distinct from u.records`,
    [orgId, from, to, dashboardDays.offsetMinutes],
  );
  const at = rows[0]?.at ?? now;
  return at < now ? at : now;
};

const columns: Record<HeatmapMetric, 'bytes' | 'sims' | 'sessions'> = {
  usage: 'bytes',
  sims: 'sims',
  sessions: 'sessions',
};

/** Hexagons of the cells' locations, as small as the response can hold. */
export const getHexagons = async (sql: Sql, query: HeatmapQuery, box: Box): Promise<Hexagons> => {
  const days = daysFrom(query.from, query.to);
  const [filter, uncounted] = await Promise.all([filterOf(sql, query), readUncounted(sql, query)]);
  const countedDays = daysSoFar(query).filter((day) => !uncounted.has(day)).length;
  const divisor = query.metric === 'sims' ? Math.max(1, countedDays) : 1;
  const figure = (value: number) => (value === 0 ? 0 : Math.max(1, Math.round(value / divisor)));
  const source = { days, filter };
  const [all, finer, elsewhere] = await Promise.all([
    readHexagons(sql, query, { ...source, resolution: coarsest }),
    readFiner(sql, query, { ...source, box }),
    query.metric === 'usage' ? readUsageOf(sql, query, uncounted) : 0,
  ]);
  const visible = finer ?? { resolution: coarsest, hexagons: largest(visibleIn(all, coarsest, box)) };
  return {
    resolution: visible.resolution,
    hexagons: visible.hexagons.map(({ outline, value }) => [...outline, figure(value)]),
    total: figure(all.reduce((sum, { value }) => sum + value, elsewhere)),
    unplaced: figure((all.find(({ hexagon }) => hexagon === unplaced)?.value ?? 0) + elsewhere),
  };
};

/** Usage on some days, as counted by intake. */
const readUsageOf = async (sql: Sql, query: HeatmapQuery, days: ReadonlySet<string>): Promise<number> => {
  if (days.size === 0) return 0;
  const used = await readUsed(sql, query, query);
  return used.reduce((sum, { day, bytes }) => (days.has(day) ? sum + bytes : sum), 0);
};

/** The hexagon of cells with unknown coordinates. */
const unplaced = -1;

/** Days of the period that have begun, at least one. */
const daysSoFar = ({ from, to, now }: HeatmapQuery): string[] => {
  const today = dashboardDays.dayOf(now);
  return daysFrom(from, to < today ? to : today < from ? from : today);
};

interface HexagonSource {
  days: string[];
  filter: Filter;
}

/** Selects the rows of single networks if filtered, else those of all networks. */
interface Filter {
  plmns: number[] | null;
  radios: number[] | null;
}

const filterOf = async (sql: Sql, query: HeatmapQuery): Promise<Filter> => {
  const { country, network, radio } = query;
  if (country === undefined && network === undefined && radio === undefined) {
    return { plmns: [-1], radios: [-1] };
  }
  const radios = radio === undefined ? null : [radioOf(query)];
  if (country === undefined) return { plmns: network === undefined ? null : [plmnOf(network)], radios };
  const plmns = await networksOf(sql, query, storedCountry(country));
  return { plmns: network === undefined ? plmns : plmns.filter((plmn) => plmn === plmnOf(network)), radios };
};

/** Networks of a country; if the country is unknown, such networks in the usage of these days. */
const networksOf = async (
  sql: Sql,
  { orgId, from, to }: HeatmapQuery,
  country: string,
): Promise<number[]> => {
  const { rows } = await sql.query<{ plmn: number }>(
    country === ''
      ? `select distinct u.plmn from org_usage_daily u left join networks n on n.plmn = u.plmn
         where u.org_id = $1 and u.day_on between $2 and $3 and n.country is null`
      : 'select plmn from networks where country = $1',
    country === '' ? [orgId, from, to] : [country],
  );
  return rows.map(({ plmn }) => plmn);
};

interface HexagonValue {
  hexagon: number;
  value: number;
}

/** Hexagons with the sums of their days; optionally only those in some ranges of their numbers. */
const readHexagons = async (
  sql: Sql,
  query: HeatmapQuery,
  { resolution, days, filter, ranges }: HexagonSource & { resolution: number; ranges?: Ranges },
): Promise<HexagonValue[]> => {
  const isRequested = new Set(days);
  const groups = [...new Set(days.map(groupStart))].filter((start) =>
    daysFrom(start, addDays(start, daysPerGroup - 1)).every((day) => isRequested.has(day)),
  );
  const { rows } = await sql.query<{ packed: Buffer }>(
    `with together as materialized (select day_on, plmn, radio, packed from ${packsOf(daysPerGroup, '$3')})
     select packed from together
     union all select h.packed from ${packsOf(1, '$4')}
       and not exists (select from together t where t.plmn = h.plmn and t.radio = h.radio
         and h.day_on between t.day_on and t.day_on + ${daysPerGroup - 1})`,
    [query.orgId, resolution, groups, days, filter.plmns, filter.radios],
  );
  const amount = columns[query.metric];
  const sums = new Map<number, number>();
  for (const { packed } of rows) {
    let range = 0;
    forEachHexagon(packed, (counts) => {
      const { hexagon } = counts;
      while (ranges && hexagon >= (ranges.before[range] ?? Number.POSITIVE_INFINITY)) range += 1;
      if (ranges && hexagon < (ranges.from[range] ?? Number.POSITIVE_INFINITY)) return;
      sums.set(hexagon, (sums.get(hexagon) ?? 0) + counts[amount]);
    });
  }
  return [...sums].map(([hexagon, value]) => ({ hexagon, value }));
};

const packsOf = (count: number, starts: string): string => `heatmap_hexagons h
  where h.org_id = $1 and h.resolution = $2 and h.days = ${count} and h.day_on = any(${starts}::date[])
    and (h.plmn = any($5::int[]) or $5 is null and h.plmn <> -1) and ($6::int[] is null or h.radio = any($6))`;

interface VisibleHexagons {
  resolution: number;
  hexagons: { outline: Outline; value: number }[];
}

/** The smallest hexagons of the part that are few enough; undefined if only the coarsest are. */
const readFiner = async (
  sql: Sql,
  query: HeatmapQuery,
  { box, ...source }: HexagonSource & { box: Box },
): Promise<VisibleHexagons | undefined> => {
  for (let resolution = resolutionOf(box); resolution > coarsest; resolution -= 1) {
    const ranges = rangesOf(box, resolution);
    const found = await readHexagons(sql, query, { ...source, resolution, ranges });
    const hexagons = visibleIn(found, resolution, box);
    if (hexagons.length <= limits.heatmap.hexagons) return { resolution, hexagons };
  }
  return undefined;
};

const visibleIn = (
  found: readonly HexagonValue[],
  resolution: number,
  box: Box,
): VisibleHexagons['hexagons'] =>
  found.flatMap(({ hexagon, value }) => {
    if (hexagon === unplaced) return [];
    const { centre, outline } = shapes.of(hexagon, resolution);
    return isWithin(centre, box, reachOf[resolution] ?? 0) ? [{ outline, value }] : [];
  });

interface Shape {
  centre: Coordinates;
  outline: Outline;
}

/** Caches shapes of recently used hexagons, because computing them takes longer than reading their figures. */
class Shapes {
  readonly #capacity = 50_000;
  #shapes = new Map<string, Shape>();

  of(hexagon: number, resolution: number): Shape {
    const index = indexOf(hexagon, resolution);
    const found = this.#shapes.get(index);
    if (found) return found;
    const { centre, corners } = shapeOf(index);
    const shape = { centre, outline: outlineOf(centre, corners) };
    if (this.#shapes.size >= this.#capacity) this.#shapes.clear();
    this.#shapes.set(index, shape);
    return shape;
  }
}
const shapes = new Shapes();

/** The coarsest resolution has 5,882 hexagons in the whole world, most of them at sea. */
const largest = (hexagons: VisibleHexagons['hexagons']): VisibleHexagons['hexagons'] =>
  hexagons.length <= limits.heatmap.hexagons
    ? hexagons
    : hexagons.toSorted((a, b) => b.value - a.value).slice(0, limits.heatmap.hexagons);
