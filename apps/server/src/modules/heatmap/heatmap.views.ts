import { limits, unknownCountry } from '@simcube/contract';
import type { Heatmap, HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { radioTypes } from '@simcube/contract/sim';
import { addDays, dashboardDays, daysFrom } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type Coordinates, indexOf, shapeOf } from '../place/index.ts';
import {
  type Box,
  coarsest,
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
import { type Counted, figuresOf, type Seen, type Used } from './heatmap-figures.rules.ts';
import { daysTogether, eachHexagon, togetherAt } from './hexagon-packs.rules.ts';

export interface Question extends Period {
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
export const radioOf = ({ radio }: Pick<Question, 'radio'>): number =>
  radio === undefined ? -1 : radioTypes.indexOf(radio) + 1;

/** A country as used in sums and figures: empty if unknown. */
export const storedCountry = <C extends string | undefined>(country: C): C | '' =>
  country === unknownCountry ? '' : country;

/** Usage as counted by intake; SIMs and sessions as of the last computation of their days. */
export const getHeatmap = async (sql: Sql, asked: Question): Promise<Heatmap> => {
  const { now } = asked;
  const question = { ...asked, country: storedCountry(asked.country) };
  const before = periodBefore(question);
  const [used, counted, seen] = await Promise.all([
    readUsed(sql, question, before),
    readCounted(sql, question, before),
    readSeen(sql, question),
  ]);
  const today = dashboardDays.dayOf(now);
  const figures = figuresOf({ question, before, today, used, counted, seen });
  const provisional = new Date(now.getTime() - limits.provisionalHours * 3_600_000);
  return {
    period: { from: question.from, to: question.to },
    before,
    provisional_from: provisional.toISOString(),
    ...figures,
  };
};

const readUsed = async (sql: Sql, question: Question, before: Period): Promise<Used[]> => {
  const { rows } = await sql.query<Used>(
    `select u.day_on as day, u.plmn, n.mcc, n.mnc, n.operator, n.country, u.bytes
     from (select day_on, plmn, sum(up_bytes + down_bytes)::bigint as bytes from org_usage_daily
       where org_id = $1 and (day_on between $2 and $3 or day_on between $4 and $5)
         and ($6 = -1 or radio = $6) and ($7 = -1 or plmn = $7) group by 1, 2) u
     left join networks n on n.plmn = u.plmn where $8::text is null or coalesce(n.country, '') = $8`,
    [...keysOf(question, before), question.country ?? null],
  );
  return rows;
};

const readCounted = async (sql: Sql, question: Question, before: Period): Promise<Counted[]> => {
  const { rows } = await sql.query<Counted>(
    `select day_on as day, country, plmn, sims, sessions from heatmap_counts
     where org_id = $1 and (day_on between $2 and $3 or day_on between $4 and $5) and radio = $6
       and ($7 = -1 or plmn = $7) and ($8::text is null or country = $8)`,
    [...keysOf(question, before), question.country ?? null],
  );
  return rows;
};

/** The number of cells with usage in each country. */
const readSeen = async (sql: Sql, question: Question): Promise<Seen[]> => {
  const months = monthsOf(question);
  const { rows } = await sql.query<Seen>(
    `select coalesce(n.country, '') as country, count(*)::int as cells
     from (select c.plmn, c.cell from unnest($2::date[], $3::int[]) m (month, days)
         join heatmap_cells c on c.org_id = $1 and c.month = m.month and c.days & m.days <> 0
       where ($4 = -1 or c.radio = $4) and ($5 = -1 or c.plmn = $5) group by 1, 2) seen
     left join networks n on n.plmn = seen.plmn where $6::text is null or coalesce(n.country, '') = $6 group by 1`,
    [
      question.orgId,
      months.map(({ month }) => month),
      months.map(({ days }) => days),
      radioOf(question),
      question.network === undefined ? -1 : plmnOf(question.network),
      question.country ?? null,
    ],
  );
  return rows;
};

const keysOf = (question: Question, before: Period) => [
  question.orgId,
  question.from,
  question.to,
  before.from,
  before.to,
  radioOf(question),
  question.network === undefined ? -1 : plmnOf(question.network),
];

/** The time up to which all days are computed: now, unless records have arrived since a day's computation. */
export const computedAt = async (sql: Sql, { orgId, from, to, now }: Question): Promise<Date> => {
  const { rows } = await sql.query<{ at: Date | null }>(
    `select min(coalesce(h.computed_at, u.day_on)) as at
     from (select day_on, sum(records) as records from org_usage_daily
       where org_id = $1 and day_on between $2 and $3 group by 1) u
     left join heatmap_days h on h.org_id = $1 and h.day_on = u.day_on
     where h.records is distinct from u.records`,
    [orgId, from, to],
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
export const getHexagons = async (sql: Sql, question: Question, box: Box): Promise<Hexagons> => {
  const days = daysFrom(question.from, question.to);
  const past = question.metric === 'sims' ? daysSoFar(question).length : 1;
  const figure = (value: number) => (value === 0 ? 0 : Math.max(1, Math.round(value / past)));
  const asked = { days, filter: await filterOf(sql, question) };
  const [all, finer] = await Promise.all([
    readHexagons(sql, question, { ...asked, resolution: coarsest }),
    readFiner(sql, question, { ...asked, box }),
  ]);
  const shown = finer ?? { resolution: coarsest, hexagons: largest(shownIn(all, coarsest, box)) };
  return {
    resolution: shown.resolution,
    hexagons: shown.hexagons.map(({ outline, value }) => [...outline, figure(value)]),
    total: figure(all.reduce((sum, { value }) => sum + value, 0)),
    unplaced: figure(all.find(({ hexagon }) => hexagon === unplaced)?.value ?? 0),
  };
};

/** The hexagon of cells with unknown coordinates. */
const unplaced = -1;

/** Days of the period that have begun, at least one. */
const daysSoFar = ({ from, to, now }: Question): string[] => {
  const today = dashboardDays.dayOf(now);
  return daysFrom(from, to < today ? to : today < from ? from : today);
};

interface Asked {
  days: string[];
  filter: Filter;
}

/** Selects the rows of single networks if filtered, else those of all networks. */
interface Filter {
  plmns: number[] | null;
  radios: number[] | null;
}

const filterOf = async (sql: Sql, question: Question): Promise<Filter> => {
  const { country, network, radio } = question;
  if (country === undefined && network === undefined && radio === undefined) {
    return { plmns: [-1], radios: [-1] };
  }
  const radios = radio === undefined ? null : [radioOf(question)];
  if (country === undefined) return { plmns: network === undefined ? null : [plmnOf(network)], radios };
  const plmns = await networksOf(sql, question, storedCountry(country));
  return { plmns: network === undefined ? plmns : plmns.filter((plmn) => plmn === plmnOf(network)), radios };
};

/** Networks of a country; if the country is unknown, such networks in the usage of these days. */
const networksOf = async (sql: Sql, { orgId, from, to }: Question, country: string): Promise<number[]> => {
  const { rows } = await sql.query<{ plmn: number }>(
    country === ''
      ? `select distinct u.plmn from org_usage_daily u left join networks n on n.plmn = u.plmn
         where u.org_id = $1 and u.day_on between $2 and $3 and n.country is null`
      : 'select plmn from networks where country = $1',
    country === '' ? [orgId, from, to] : [country],
  );
  return rows.map(({ plmn }) => plmn);
};

interface Found {
  hexagon: number;
  value: number;
}

/** Hexagons with the sums of their days; optionally only those in some ranges of their numbers. */
const readHexagons = async (
  sql: Sql,
  question: Question,
  { resolution, days, filter, ranges }: Asked & { resolution: number; ranges?: Ranges },
): Promise<Found[]> => {
  const isAsked = new Set(days);
  const together = [...new Set(days.map(togetherAt))].filter((start) =>
    daysFrom(start, addDays(start, daysTogether - 1)).every((day) => isAsked.has(day)),
  );
  const { rows } = await sql.query<{ packed: Buffer }>(
    `with together as materialized (select day_on, plmn, radio, packed from ${packsOf(daysTogether, '$3')})
     select packed from together
     union all select h.packed from ${packsOf(1, '$4')}
       and not exists (select from together t where t.plmn = h.plmn and t.radio = h.radio
         and h.day_on between t.day_on and t.day_on + ${daysTogether - 1})`,
    [question.orgId, resolution, together, days, filter.plmns, filter.radios],
  );
  const amount = columns[question.metric];
  const sums = new Map<number, number>();
  for (const { packed } of rows) {
    let range = 0;
    eachHexagon(packed, (counts) => {
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

interface Shown {
  resolution: number;
  hexagons: { outline: Outline; value: number }[];
}

/** The smallest hexagons of the part that are few enough; undefined if only the coarsest are. */
const readFiner = async (
  sql: Sql,
  question: Question,
  { box, ...asked }: Asked & { box: Box },
): Promise<Shown | undefined> => {
  for (let resolution = resolutionOf(box); resolution > coarsest; resolution -= 1) {
    const ranges = rangesOf(box, resolution);
    const found = await readHexagons(sql, question, { ...asked, resolution, ranges });
    const hexagons = shownIn(found, resolution, box);
    if (hexagons.length <= limits.heatmap.hexagons) return { resolution, hexagons };
  }
  return undefined;
};

const shownIn = (found: readonly Found[], resolution: number, box: Box): Shown['hexagons'] =>
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
  readonly #most = 50_000;
  #shapes = new Map<string, Shape>();

  of(hexagon: number, resolution: number): Shape {
    const index = indexOf(hexagon, resolution);
    const found = this.#shapes.get(index);
    if (found) return found;
    const { centre, corners } = shapeOf(index);
    const shape = { centre, outline: outlineOf(centre, corners) };
    if (this.#shapes.size >= this.#most) this.#shapes.clear();
    this.#shapes.set(index, shape);
    return shape;
  }
}
const shapes = new Shapes();

/** The coarsest resolution has 5,882 hexagons in the whole world, most of them at sea. */
const largest = (hexagons: Shown['hexagons']): Shown['hexagons'] =>
  hexagons.length <= limits.heatmap.hexagons
    ? hexagons
    : hexagons.toSorted((a, b) => b.value - a.value).slice(0, limits.heatmap.hexagons);
