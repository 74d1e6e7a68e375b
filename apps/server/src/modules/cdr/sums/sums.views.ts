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
import { type CdrScope, type Sought, soughtBy } from '../cdr-filter.views.ts';
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

export interface SumsQuestion {
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
  mostSims?: number;
}

/** Sums of the records that match a filter: in total, and by each of the groupings. */
export const readSums = async (db: Db, question: SumsQuestion): Promise<CdrSums> => {
  const { groupings, now } = question;
  const span = completeSpan(question.filter, now);
  const step = groupings.includes('hour') ? 'hour' : 'day';
  const before = question.before ? spanBefore(span, step) : undefined;
  const sought = await soughtBy(db, { ...question, since: before?.from });
  const earlier = before && { ...sought, ...before };
  const touched = await readHours(db, { ...sought, from: earlier?.from ?? sought.from });
  const asked = {
    current: { sought, hours: hoursOf(touched, sought), later: 0 },
    former: earlier && {
      sought: earlier,
      hours: hoursOf(touched, earlier),
      later: distanceBefore(span) / 1000,
    },
    how: { provisional: provisionalFrom(now), few: question.few ?? fewRecords },
  };
  const keys: Key[] = ['all', ...groupings.filter((grouping) => grouping !== 'sim')];
  const touching = { from: (earlier ?? sought).from, to: sought.to };
  const [[current, former], bySim, names] = await Promise.all([
    readByKeys(db, keys, asked),
    groupings.includes('sim') ? readBySim(db, question.mostSims ?? limits.cdrs.simGroups, asked) : undefined,
    Promise.all(groupings.map((grouping) => namesOf(db, { orgId: sought.orgId, span: touching, grouping }))),
  ]);
  const groups = await Promise.all(
    groupings.map(async (grouping, place): Promise<[CdrGrouping, CdrGroup[]]> => {
      const [figures = new Map(), before] =
        grouping === 'sim' ? (bySim ?? []) : [current?.get(grouping), former?.get(grouping)];
      return [grouping, await groupsOf(db, { sought, grouping, figures, before, names: names[place] })];
    }),
  );
  const total = current?.get('all')?.get('');
  return {
    from: sought.from.toISOString(),
    to: sought.to.toISOString(),
    total: figuresOf(total),
    provisional: provisionalOf(total),
    provisional_from: asked.how.provisional.toISOString(),
    counted_until: now.toISOString(),
    before: earlier
      ? {
          from: earlier.from.toISOString(),
          to: earlier.to.toISOString(),
          total: figuresOf(former?.get('all')?.get('')),
        }
      : null,
    groups: Object.fromEntries(groups),
  };
};

/** Groupings by day and something else are long, and are not compared with the previous period. */
const isPaired = (key: Key): boolean => key === 'day_radio' || key === 'day_operator';

type AskedSpan = Pick<FigureSpan, 'sought' | 'hours' | 'later'>;

interface Asked {
  current: AskedSpan;
  former: AskedSpan | undefined;
  how: { provisional: Date; few: number };
}

/** For the previous period, SIMs and sessions are counted only in total. */
const readByKeys = (db: Db, keys: readonly Key[], { current, former, how }: Asked) => {
  const beside = former && {
    ...former,
    keys: keys.filter((key) => !isPaired(key)),
    counted: ['all'] as const,
  };
  return readFigures(db, [{ ...current, keys, counted: keys }, ...(beside ? [beside] : [])], how);
};

/** The SIMs with the most usage, each with its own usage in the previous period, whichever SIMs had the most then. */
const readBySim = async (
  db: Db,
  most: number,
  { current, former, how }: Asked,
): Promise<(Figures | undefined)[]> => {
  const of = ({ sought, hours }: AskedSpan, only: readonly number[] | undefined) => {
    const sources = sourcesOf(sought, { hours, by: 'day', cut: how.provisional, few: how.few });
    return simFigures(db, { sought, sources, provisional: how.provisional, most, only });
  };
  const figures = await of(current, undefined);
  return [figures, former && (await of(former, [...figures.keys()].map(Number)))];
};

/** The groups of one grouping, up to a maximum, for files. */
export const readGroups = async (
  db: Db,
  {
    grouping,
    most,
    ...question
  }: Pick<SumsQuestion, 'scope' | 'filter' | 'now'> & {
    grouping: CdrGrouping;
    most: number;
  },
): Promise<CdrGroup[]> => {
  const sought = await soughtBy(db, question);
  const current = { sought, hours: await readHours(db, sought), later: 0 };
  const how = { provisional: provisionalFrom(question.now), few: fewRecords };
  const asked = { current, former: undefined, how };
  const [figures] =
    grouping === 'sim'
      ? await readBySim(db, most, asked)
      : (await readByKeys(db, [grouping], asked)).map((found) => found.get(grouping));
  const names = await namesOf(db, { orgId: sought.orgId, span: sought, grouping });
  const groups = await groupsOf(db, {
    sought,
    grouping,
    figures: figures ?? new Map(),
    before: undefined,
    names,
  });
  return groups.slice(0, most);
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

interface FoundGroups {
  sought: Sought;
  grouping: CdrGrouping;
  figures: Figures;
  before: Figures | undefined;
  /** Undefined for SIMs, which are named separately. */
  names: GroupNames | undefined;
}

const groupsOf = async (
  db: Db,
  { sought, grouping, figures, before, names: known }: FoundGroups,
): Promise<CdrGroup[]> => {
  const times = timeKeys(grouping, sought);
  const keys = times ?? [...new Set([...figures.keys(), ...(before?.keys() ?? [])])];
  const names = known ?? (await namesOfSims(db, sought.orgId, keys));
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
