import { limits } from '@simcube/contract';
import type { CdrFigures, CdrFilter, CdrGroup, CdrGrouping, CdrSums } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type CdrScope, type Sought, soughtBy } from '../cdr-filter.views.ts';
import { provisionalFrom } from '../cdr-rows.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import {
  fewRecords,
  type Hour,
  isComputed,
  isOnePart,
  levelOf,
  readHours,
  type Sources,
  sourcesOf,
  storedCounts,
} from '../counts/stored.views.ts';
import {
  countDistinct,
  countMembers,
  type Key,
  numberedOf,
  readAmounts,
  recordsIn,
  tellsApart,
} from './amounts.views.ts';
import { canCountFirsts, countByFirsts } from './firsts.views.ts';
import { type GroupNames, namesOf, namesOfSims } from './group-names.views.ts';
import { simFigures } from './sims.views.ts';
import {
  type Amounts,
  type Distinct,
  distanceBefore,
  type Figures,
  spanBefore,
  timeKeys,
  withDistinct,
} from './sums.rules.ts';

export interface SumsQuestion {
  scope: CdrScope;
  filter: CdrFilter;
  now: Date;
  groupings: readonly CdrGrouping[];
  before: boolean;
  /** Sums of no more records than these are read from them. */
  few?: number | undefined;
  /** By SIM at most so many groups. */
  mostSims?: number;
}

/** Sums of the records that a filter finds: the whole, and by each of the groupings. */
export const readSums = async (db: Db, question: SumsQuestion): Promise<CdrSums> => {
  const { groupings, now } = question;
  const sought = await soughtBy(db, question);
  const span = { from: sought.from, to: sought.to };
  const step = groupings.includes('hour') ? 'hour' : 'day';
  const earlier = question.before ? { ...sought, ...spanBefore(span, step) } : undefined;
  const provisional = provisionalFrom(now);
  const keys: Key[] = ['all', ...groupings];
  const common = { provisional, few: question.few ?? fewRecords };
  const [hours, hoursBefore] = await Promise.all([
    readHours(db, sought),
    earlier ? readHours(db, earlier) : [],
  ]);
  // By SIM, those with the most usage; networks and days are not so many that one would be left out.
  const mostOf = (key: Key) =>
    key === 'sim' ? (question.mostSims ?? limits.cdrs.simGroups) : limits.exportRows;
  const current = keys.map((key) =>
    figuresBy(db, { sought, hours, key, later: 0, most: mostOf(key), ...common }),
  );
  const formerBy = async (former: Sought, key: Key, index: number): Promise<Figures | undefined> => {
    if (isPaired(key)) return undefined;
    // Those with the most usage before would be others.
    const only = key === 'sim' ? [...((await current[index]) ?? [])].map(([sim]) => Number(sim)) : undefined;
    const later = distanceBefore(span) / 1000;
    const question = { sought: former, hours: hoursBefore, key, later, most: mostOf(key), only, ...common };
    return figuresBy(db, { ...question, amountsAlone: key !== 'all' });
  };
  const [figures, former] = await Promise.all([
    Promise.all(current),
    earlier && Promise.all(keys.map((key, index) => formerBy(earlier, key, index))),
  ]);
  const [all, ...grouped] = figures;
  const [allBefore, ...groupedBefore] = former ?? [];
  const groups = await Promise.all(
    groupings.map(async (grouping, index): Promise<[CdrGrouping, CdrGroup[]]> => {
      const found = { grouping, figures: grouped[index] ?? new Map(), before: groupedBefore[index] };
      return [grouping, await groupsOf(db, { ...found, sought })];
    }),
  );
  return {
    from: sought.from.toISOString(),
    to: sought.to.toISOString(),
    total: figuresOf(all?.get('')),
    provisional: provisionalOf(all?.get('')),
    provisional_from: provisional.toISOString(),
    counted_until: now.toISOString(),
    before: earlier
      ? {
          from: earlier.from.toISOString(),
          to: earlier.to.toISOString(),
          total: figuresOf(allBefore?.get('')),
        }
      : null,
    groups: Object.fromEntries(groups),
  };
};

/** Of a day and something else: their lists alone are long, and stand beside nothing. */
const isPaired = (key: Key): boolean => key === 'day_radio' || key === 'day_operator';

interface FiguresQuestion {
  sought: Sought;
  hours: readonly Hour[];
  key: Key;
  later: number;
  provisional: Date;
  most: number;
  few: number;
  /** By SIM: of these alone. */
  only?: readonly number[] | undefined;
  /** Without how many SIMs and sessions there are. */
  amountsAlone?: boolean;
}

/** The groups of one grouping alone, at most so many: for files. */
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
  const provisional = provisionalFrom(question.now);
  const figures = await figuresBy(db, {
    sought,
    hours: await readHours(db, sought),
    key: grouping,
    later: 0,
    provisional,
    most,
    few: fewRecords,
  });
  return groupsOf(db, { sought, grouping, figures, before: undefined });
};

const figuresBy = async (db: Db, { sought, hours, ...question }: FiguresQuestion): Promise<Figures> => {
  const { key, later, provisional, few, only } = question;
  const by = key === 'hour' || later % daySeconds !== 0 ? 'hour' : 'day';
  const sources = sourcesOf(sought, { hours, by, cut: provisional, few });
  if (key === 'sim') return simFigures(db, { ...question, sought, sources, only });
  const level = levelOf(sought, tellsApart(key));
  const isCounted = isOnePart(sought, level, tellsApart(key)) && key !== 'hour';
  const { sums, distinct } = readersOf(db, { sought, sources, level, isCounted });
  const [amounts, counts] = await Promise.all([
    sums(question),
    question.amountsAlone ? new Map<string, Distinct>() : distinct(question),
  ]);
  return withDistinct(amounts, counts);
};

const daySeconds = 86_400;

type Reading = Omit<FiguresQuestion, 'sought' | 'hours'>;

/** How figures are read: from the records alone, or from what was computed with the records of the rest. */
const readersOf = (
  db: Db,
  {
    sought,
    sources,
    level,
    isCounted,
  }: { sought: Sought; sources: Sources; level: Level; isCounted: boolean },
) => {
  const records = recordsIn(sought, sources.records);
  if (!isComputed(sources)) {
    const usage = sql`(${records})`;
    return {
      sums: (question: Reading) => readAmounts(db, { usage, ...question }),
      distinct: (question: Reading) => countDistinct(db, { usage, ...question }),
    };
  }
  const stored = sql`(${storedCounts(sought, sources, level)})`;
  const amounts = sql`select hour_at, plmn, radio, records, up_bytes, down_bytes`;
  // Without any, the database would still plan to read the records of all months.
  const computed =
    sources.records.length > 0
      ? sql`(${amounts} from ${stored} as s union all ${amounts} from (${records}) as r)`
      : stored;
  const numbered = numberedOf(sought, records);
  const beside = sources.records.length > 0 ? numbered : undefined;
  // Sessions that began after the last computation have no number, and are in no set.
  const unnumbered = sql`(select * from ${numbered} as r where number is null)`;
  return {
    sums: (question: Reading) => readAmounts(db, { usage: computed, ...question }),
    distinct: async (question: Reading) => {
      const [sets, others] = await Promise.all([
        isCounted && canCountFirsts(sought, sources)
          ? countByFirsts(db, { sought, sources, level, beside, ...question })
          : countMembers(db, { usage: stored, beside, ...question }),
        beside ? countDistinct(db, { usage: unnumbered, ...question }) : new Map<string, Distinct>(),
      ]);
      for (const [key, { sessions }] of others) {
        const found = sets.get(key) ?? { sims: 0, sessions: 0 };
        sets.set(key, { ...found, sessions: found.sessions + sessions });
      }
      return sets;
    },
  };
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
}

const groupsOf = async (db: Db, { sought, grouping, figures, before }: FoundGroups): Promise<CdrGroup[]> => {
  const times = timeKeys(grouping, sought);
  const keys = times ?? [...new Set([...figures.keys(), ...(before?.keys() ?? [])])];
  const names: GroupNames =
    grouping === 'sim'
      ? await namesOfSims(db, sought.orgId, keys)
      : await namesOf(db, sought.orgId, grouping);
  const groups = keys.flatMap((key) => {
    const name = names(key);
    if (!name) return [];
    return {
      ...name,
      ...figuresOf(figures.get(key)),
      provisional: provisionalOf(figures.get(key)),
      before: before ? amountOf(figuresOf(before.get(key))) : null,
    };
  });
  if (times) return groups;
  if (isPaired(grouping)) return groups.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return groups.toSorted((a, b) => volumeOf(b) - volumeOf(a) || (a.key < b.key ? -1 : 1));
};

const volumeOf = ({ up_bytes, down_bytes }: CdrGroup): number => up_bytes + down_bytes;
