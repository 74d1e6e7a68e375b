import { limits } from '@simcube/contract';
import type { Heatmap, HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { radioTypes } from '@simcube/contract/sim';
import { dashboardDays, daysFrom } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { indexOf, shapeOf } from '../place/index.ts';
import {
  type Box,
  coarsest,
  isWithin,
  outlineOf,
  type Period,
  periodBefore,
  rangesOf,
  reachOf,
  resolutionOf,
} from './heatmap.rules.ts';
import { type Counted, figuresOf, type Used } from './heatmap-figures.rules.ts';

export interface Question extends Period {
  orgId: number;
  now: Date;
  metric: HeatmapMetric;
  country?: string | undefined;
  /** MCC and MNC. */
  network?: string | undefined;
  radio?: (typeof radioTypes)[number] | undefined;
}

const plmnOf = (network: string): number => {
  const [mcc, mnc] = network.split('-').map(Number);
  return (mcc ?? 0) * 1000 + (mnc ?? 0);
};
const radioOf = ({ radio }: Question): number => (radio === undefined ? -1 : radioTypes.indexOf(radio) + 1);

/** Usage as intake counts it; SIMs and sessions as of the last computation of their days. */
export const getHeatmap = async (sql: Sql, question: Question): Promise<Heatmap> => {
  const { now } = question;
  const before = periodBefore(question);
  const [used, counted] = await Promise.all([
    readUsed(sql, question, before),
    readCounted(sql, question, before),
  ]);
  const today = dashboardDays.dayOf(now);
  const figures = figuresOf({ question, before, today, used, counted });
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
     left join networks n on n.plmn = u.plmn where $8::text is null or n.country = $8`,
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

const keysOf = (question: Question, before: Period) => [
  question.orgId,
  question.from,
  question.to,
  before.from,
  before.to,
  radioOf(question),
  question.network === undefined ? -1 : plmnOf(question.network),
];

/** As of when everything of the days is computed: now, unless records came since a day's computation. */
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

/** Where cells stand, as hexagons as small as fit into the answer. */
export const getHexagons = async (sql: Sql, question: Question, box: Box): Promise<Hexagons> => {
  const days = daysFrom(question.from, question.to);
  const past = question.metric === 'sims' ? daysSoFar(question).length : 1;
  const figure = (value: number) => (value === 0 ? 0 : Math.max(1, Math.round(value / past)));
  const asked = { days, filter: await filterOf(sql, question) };
  const [all, finer] = await Promise.all([
    readCoarsest(sql, question, asked),
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

/** The hexagon of cells of which it is not known where they stand. */
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

/** Rows of single networks where it is filtered, those of all networks where not. */
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
  const { rows } = await sql.query<{ plmn: number }>('select plmn from networks where country = $1', [
    country,
  ]);
  const plmns = rows.map(({ plmn }) => plmn);
  return { plmns: network === undefined ? plmns : plmns.filter((plmn) => plmn === plmnOf(network)), radios };
};

const matches = `h.org_id = $1 and h.resolution = $2 and h.day_on = any($3::date[])
  and (h.plmn = any($4::int[]) or $4 is null and h.plmn <> -1) and ($5::int[] is null or h.radio = any($5))`;

const valuesOf = (question: Question, resolution: number, { days, filter }: Asked) => [
  question.orgId,
  resolution,
  days,
  filter.plmns,
  filter.radios,
];

interface Found {
  hexagon: number;
  value: number;
}

/** Of the whole world: what everything adds up to, and what is shown where nothing finer fits. */
const readCoarsest = async (sql: Sql, question: Question, asked: Asked): Promise<Found[]> => {
  const { rows } = await sql.query<Found>(
    `select h.hexagon, sum(h.${columns[question.metric]})::bigint as value
     from heatmap_hexagons h where ${matches} group by 1`,
    valuesOf(question, coarsest, asked),
  );
  return rows;
};

interface Shown {
  resolution: number;
  hexagons: { outline: ReturnType<typeof outlineOf>; value: number }[];
}

/** The smallest hexagons of the part that are few enough; undefined where only the coarsest are. */
const readFiner = async (
  sql: Sql,
  question: Question,
  asked: Asked & { box: Box },
): Promise<Shown | undefined> => {
  const { box } = asked;
  for (let resolution = resolutionOf(box); resolution > coarsest; resolution -= 1) {
    const { from, before } = rangesOf(box, resolution);
    const { rows } = await sql.query<Found>(
      `select h.hexagon, sum(h.${columns[question.metric]})::bigint as value
       from unnest($6::int[], $7::int[]) r (low, high)
         join heatmap_hexagons h on h.hexagon >= r.low and h.hexagon < r.high
       where ${matches} group by 1`,
      [...valuesOf(question, resolution, asked), from, before],
    );
    const hexagons = shownIn(rows, resolution, box);
    if (hexagons.length <= limits.heatmap.hexagons) return { resolution, hexagons };
  }
  return undefined;
};

const shownIn = (found: readonly Found[], resolution: number, box: Box): Shown['hexagons'] =>
  found.flatMap(({ hexagon, value }) => {
    if (hexagon === unplaced) return [];
    const { centre, corners } = shapeOf(indexOf(hexagon, resolution));
    return isWithin(centre, box, reachOf[resolution] ?? 0)
      ? [{ outline: outlineOf(centre, corners), value }]
      : [];
  });

/** The coarsest has 5,882 of the whole world, most of them at sea. */
const largest = (hexagons: Shown['hexagons']): Shown['hexagons'] =>
  hexagons.length <= limits.heatmap.hexagons
    ? hexagons
    : hexagons.toSorted((a, b) => b.value - a.value).slice(0, limits.heatmap.hexagons);
