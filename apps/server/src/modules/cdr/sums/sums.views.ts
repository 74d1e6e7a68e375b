import { limits } from '@simcube/contract';
import {
  type CdrFigures,
  type CdrFilter,
  type CdrGroup,
  type CdrGrouping,
  type CdrSums,
  completeSpan,
} from '@simcube/contract/cdr';
import type { Db } from '../../../platform/db/index.ts';
import { type CdrScope, type RecordSelection, resolveFilter } from '../cdr-filter.views.ts';
import { provisionalFrom } from '../cdr-rows.views.ts';
import { fewRecords, hoursOf, readHours, sourcesOf } from '../counts/stored.views.ts';
import { type FigureSpan, readFigures } from './figures.views.ts';
import { type GroupNames, namesOf, namesOfSims } from './group-names.views.ts';
import { simFigures } from './sims.views.ts';
import {
  type Amounts,
  type Distinct,
  distanceBefore,
  type Figures,
  type Key,
  spanBefore,
  timeKeys,
} from './sums.rules.ts';

export interface SumsQuery {
  scope: CdrScope;
  filter: CdrFilter;
  now: Date;
  groupings: readonly CdrGrouping[];
  before: boolean;
  /** Sums of up to this number of records are read from the records. */
  few?: number | undefined;
  /** Up to this number of chosen SIMs, records are read. */
  fewSims?: number | undefined;
  /** Maximum number of groups by SIM. */
  maxSims?: number;
}

/** Sums of the records that match a filter: in total, and by each of the groupings. */
export const readSums = async (db: Db, query: SumsQuery): Promise<CdrSums> => {
  const { groupings, now } = query;
  const span = completeSpan(query.filter, now);
  const step = groupings.includes('hour') ? 'hour' : 'day';
  const before = query.before ? spanBefore(span, step) : undefined;
  const selection = await resolveFilter(db, { ...query, since: before?.from });
  const previousSelection = before && { ...selection, ...before };
  const touched = await readHours(db, { ...selection, from: previousSelection?.from ?? selection.from });
  const spans = {
    current: { selection, hours: hoursOf(touched, selection), offsetSeconds: 0 },
    previous: previousSelection && {
      selection: previousSelection,
      hours: hoursOf(touched, previousSelection),
      offsetSeconds: distanceBefore(span) / 1000,
    },
    options: { provisional: provisionalFrom(now), few: query.few ?? fewRecords },
  };
  const keys: Key[] = ['all', ...groupings.filter((grouping) => grouping !== 'sim')];
  const namedSpan = { from: (previousSelection ?? selection).from, to: selection.to };
  const [[current, previous], bySim, names] = await Promise.all([
    readByKeys(db, keys, spans),
    groupings.includes('sim') ? readBySim(db, query.maxSims ?? limits.cdrs.simGroups, spans) : undefined,
    Promise.all(
      groupings.map((grouping) => namesOf(db, { orgId: selection.orgId, span: namedSpan, grouping })),
    ),
  ]);
  const groups = await Promise.all(
    groupings.map(async (grouping, index): Promise<[CdrGrouping, CdrGroup[]]> => {
      const [figures = new Map(), before] =
        grouping === 'sim' ? (bySim ?? []) : [current?.get(grouping), previous?.get(grouping)];
      return [grouping, await groupsOf(db, { selection, grouping, figures, before, names: names[index] })];
    }),
  );
  const total = current?.get('all')?.get('');
  return {
    from: selection.from.toISOString(),
    to: selection.to.toISOString(),
    total: figuresOf(total),
    provisional: provisionalOf(total),
    provisional_from: spans.options.provisional.toISOString(),
    counted_until: now.toISOString(),
    before: previousSelection
      ? {
          from: previousSelection.from.toISOString(),
          to: previousSelection.to.toISOString(),
          total: figuresOf(previous?.get('all')?.get('')),
        }
      : null,
    groups: Object.fromEntries(groups),
  };
};

/** Groupings by day and something else are long, and are not compared with the previous period. */
const isPaired = (key: Key): boolean => key === 'day_radio' || key === 'day_operator';

type QueriedSpan = Pick<FigureSpan, 'selection' | 'hours' | 'offsetSeconds'>;

interface ComparedSpans {
  current: QueriedSpan;
  previous: QueriedSpan | undefined;
  options: { provisional: Date; few: number };
}

/** For the previous period, SIMs and sessions are counted only in total. */
const readByKeys = (db: Db, keys: readonly Key[], { current, previous, options }: ComparedSpans) => {
  const remaining = previous && {
    ...previous,
    keys: keys.filter((key) => !isPaired(key)),
    counted: ['all'] as const,
  };
  return readFigures(db, [{ ...current, keys, counted: keys }, ...(remaining ? [remaining] : [])], options);
};

/** The SIMs with the most usage, each with its own usage in the previous period, whichever SIMs had the most then. */
const readBySim = async (
  db: Db,
  limit: number,
  { current, previous, options }: ComparedSpans,
): Promise<(Figures | undefined)[]> => {
  const readSimFigures = ({ selection, hours }: QueriedSpan, only: readonly number[] | undefined) => {
    const sources = sourcesOf(selection, { hours, by: 'day', cut: options.provisional, few: options.few });
    return simFigures(db, { selection, sources, provisional: options.provisional, limit, only });
  };
  const figures = await readSimFigures(current, undefined);
  return [figures, previous && (await readSimFigures(previous, [...figures.keys()].map(Number)))];
};

/** The groups of one grouping, up to a maximum, for files. */
export const readGroups = async (
  db: Db,
  {
    grouping,
    limit,
    ...query
  }: Pick<SumsQuery, 'scope' | 'filter' | 'now'> & {
    grouping: CdrGrouping;
    limit: number;
  },
): Promise<CdrGroup[]> => {
  const selection = await resolveFilter(db, query);
  const current = { selection, hours: await readHours(db, selection), offsetSeconds: 0 };
  const options = { provisional: provisionalFrom(query.now), few: fewRecords };
  const spans = { current, previous: undefined, options };
  const [figures] =
    grouping === 'sim'
      ? await readBySim(db, limit, spans)
      : (await readByKeys(db, [grouping], spans)).map((found) => found.get(grouping));
  const names = await namesOf(db, { orgId: selection.orgId, span: selection, grouping });
  const groups = await groupsOf(db, {
    selection,
    grouping,
    figures: figures ?? new Map(),
    before: undefined,
    names,
  });
  return groups.slice(0, limit);
};

const figuresOf = (found: (Amounts & Distinct) | undefined): CdrFigures => ({
  records: found?.records ?? 0,
  up_bytes: found?.up_bytes ?? 0,
  down_bytes: found?.down_bytes ?? 0,
  sims: found?.sims ?? 0,
  sessions: found?.sessions ?? 0,
});

const amountOf = ({ records, up_bytes, down_bytes }: CdrFigures) => ({ records, up_bytes, down_bytes });

const provisionalOf = (found: Amounts | undefined) => ({
  records: found?.late_records ?? 0,
  up_bytes: found?.late_up_bytes ?? 0,
  down_bytes: found?.late_down_bytes ?? 0,
});

interface GroupsInput {
  selection: RecordSelection;
  grouping: CdrGrouping;
  figures: Figures;
  before: Figures | undefined;
  /** Undefined for SIMs, which are named separately. */
  names: GroupNames | undefined;
}

const groupsOf = async (
  db: Db,
  { selection, grouping, figures, before, names: known }: GroupsInput,
): Promise<CdrGroup[]> => {
  const times = timeKeys(grouping, selection);
  const keys = times ?? [...new Set([...figures.keys(), ...(before?.keys() ?? [])])];
  const names = known ?? (await namesOfSims(db, selection.orgId, keys));
  const groups = keys.flatMap((key) => {
    const name = names(key);
    if (!name) return [];
    const found = figures.get(key);
    // Written out, because spreading a thousand of these takes milliseconds.
    const { records, up_bytes, down_bytes, sims, sessions } = figuresOf(found);
    return {
      key: name.key,
      name: name.name,
      country: name.country,
      records,
      up_bytes,
      down_bytes,
      sims,
      sessions,
      provisional: provisionalOf(found),
      before: before ? amountOf(figuresOf(before.get(key))) : null,
    };
  });
  if (times) return groups;
  if (isPaired(grouping)) return groups.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return groups.toSorted((a, b) => volumeOf(b) - volumeOf(a) || (a.key < b.key ? -1 : 1));
};

const volumeOf = ({ up_bytes, down_bytes }: CdrGroup): number => up_bytes + down_bytes;
