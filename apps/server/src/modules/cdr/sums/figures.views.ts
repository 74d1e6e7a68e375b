import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { RecordSelection } from '../cdr-filter.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import {
  fewRecords,
  type Hour,
  isComputed,
  isOnePart,
  levelOf,
  type Sources,
  sourcesOf,
  storedCounts,
} from '../counts/stored.views.ts';
import { distinctionsOf, readAmounts, recordsIn } from './amounts.views.ts';
import { isTimeOnlyKey, readChosen } from './chosen.views.ts';
import { canCountFirsts, countByFirsts } from './firsts.views.ts';
import { countMembers } from './members.views.ts';
import type { RecordKey } from './record-sums.rules.ts';
import { readRecordSums } from './record-sums.views.ts';
import {
  type Amounts,
  type Distinct,
  type Figures,
  type GroupedResults,
  type Key,
  withDistinct,
} from './sums.rules.ts';

const daySeconds = 86_400;

/** A span, and its groupings, except by SIM. */
export interface FigureSpan {
  selection: RecordSelection;
  /** The hours that it touches. */
  hours: readonly Hour[];
  /** Seconds added to hours, so that the previous period is aligned with the queried one. */
  offsetSeconds: number;
  keys: readonly Key[];
  /** The keys for which SIMs and sessions are counted, too. */
  counted: readonly Key[];
}

interface ReadOptions {
  provisional: Date;
  /** Sums of up to this number of records are read from the records. */
  few: number;
}

/** Parts of spans that are read together: from records, or on one level. */
interface Part extends FigureSpan {
  /** Position of the span. */
  span: number;
  sources: Sources;
}

/**
 * The figures of spans by each of their keys. Each level of stored counts is read by one statement for all spans, and
 * so are the records.
 */
export const readFigures = async (
  db: Db,
  spans: readonly FigureSpan[],
  options: ReadOptions,
): Promise<Map<Key, Figures>[]> => {
  const figures = spans.map(() => new Map<Key, Figures>());
  await Promise.all(
    [...partsOf(spans, options)].map(async ([source, parts]) => {
      const found = await readPartsFrom(db, { source, parts, options });
      parts.forEach(({ span, keys }, part) => {
        for (const key of keys) figures[span]?.set(key, new Map(found[part]?.get(key)));
      });
    }),
  );
  return figures;
};

/** A level of stored counts, packs, or records. */
type ReadSource = Level | 'sims' | 'records';

const readPartsFrom = (
  db: Db,
  { source, parts, options }: { source: ReadSource; parts: readonly Part[]; options: ReadOptions },
): Promise<readonly ReadonlyMap<Key, Figures>[]> => {
  if (source === 'records') return readRecords(db, parts, options);
  if (source === 'sims') return Promise.all(parts.map((part) => readSims(db, part, options)));
  return readLevel(db, { level: source, parts, options });
};

const readSims = async (db: Db, part: Part, options: ReadOptions): Promise<ReadonlyMap<Key, Figures>> => {
  const found = await readChosen(db, part, options.provisional);
  if (found) return found;
  const [records] = await readRecords(
    db,
    [{ ...part, sources: ofRecords(part.selection, part.sources) }],
    options,
  );
  return records ?? new Map();
};

const ofRecords = ({ from, to }: RecordSelection, sources: Sources): Sources => ({
  ...sources,
  days: [],
  hours: [],
  records: [{ from, to }],
});

const partsOf = (
  spans: readonly FigureSpan[],
  { provisional: cut, few }: ReadOptions,
): Map<ReadSource, Part[]> => {
  const found = new Map<ReadSource, Part[]>();
  spans.forEach((one, span) => {
    const { selection, hours, offsetSeconds } = one;
    const sourcesBy = (by: 'day' | 'hour') => sourcesOf(selection, { hours, by, cut, few });
    const [byDay, byHour] = [sourcesBy('day'), sourcesBy('hour')];
    const sourceFor = (key: Key): ReadSource => {
      if (!isComputed(byDay) || isMostlyRemaining(byDay)) return 'records';
      if (selection.simIds) return isTimeOnlyKey(key) ? 'sims' : 'records';
      return levelOf(selection, distinctionsOf(key));
    };
    const needsHours = (key: Key) => key === 'hour' || (key === 'day' && offsetSeconds % daySeconds !== 0);
    for (const level of new Set(one.keys.map(sourceFor))) {
      const keys = one.keys.filter((key) => sourceFor(key) === level);
      const counted = one.counted.filter((key) => keys.includes(key));
      const split = keys.some(needsHours) ? byHour : byDay;
      const sources = level === 'records' ? ofRecords(selection, split) : split;
      found.set(level, [...(found.get(level) ?? []), { ...one, keys, counted, span, sources }]);
    }
  });
  return found;
};

/**
 * Members of records outside the stored counts are looked up for each level, which takes about twice as long as reading
 * a record: if these are most records, all are read once instead.
 */
const isMostlyRemaining = ({ remaining, all }: Sources): boolean =>
  remaining > fewRecords && remaining * 2 > all;

const readRecords = async (
  db: Db,
  parts: readonly Part[],
  { provisional }: ReadOptions,
): Promise<ReadonlyMap<Key, Figures>[]> =>
  Promise.all(
    parts.map(async ({ keys, counted, ...part }) => {
      const recordPart = { ...part, keys: keys.filter(isRecordKey), counted: counted.filter(isRecordKey) };
      return readRecordSums(db, recordPart, provisional);
    }),
  );

const isRecordKey = (key: Key): key is RecordKey => key !== 'sim';

const amountColumns = sql`select hour_at, country, plmn, radio, records, up_bytes, down_bytes`;

const readLevel = async (
  db: Db,
  { level, parts, options }: { level: Level; parts: readonly Part[]; options: ReadOptions },
): Promise<GroupedResults<Amounts & Distinct>[]> => {
  const read = parts.map((part) => {
    const records = recordsIn(part.selection, part.sources.records);
    return {
      ...part,
      level,
      stored: sql`(${storedCounts(part.selection, part.sources, level)})`,
      // Without any ranges, the database would still plan to read the records of all months.
      records: part.sources.records.length > 0 ? records : undefined,
    };
  });
  const spans = read.map(({ stored, records, ...part }) => ({
    ...part,
    usage: records
      ? sql`(${amountColumns} from ${stored} as s union all ${amountColumns} from (${records}) as r)`
      : stored,
  }));
  const isFirst = ({ selection, sources }: Part, key: Key): boolean =>
    key !== 'hour' &&
    isOnePart(selection, level, distinctionsOf(key)) &&
    canCountFirsts(selection, sources, level);
  const [amounts, ...counts] = await Promise.all([
    readAmounts(db, { spans, provisional: options.provisional }),
    countByFirsts(
      db,
      read.map((part) => ({ ...part, keys: part.counted.filter((key) => isFirst(part, key)) })),
    ),
    countMembers(
      db,
      read.map((part) => ({
        ...part,
        usage: part.stored,
        keys: part.counted.filter((key) => !isFirst(part, key)),
      })),
    ),
  ]);
  return read.map(({ keys }, part) => {
    const counted = new Map(counts.flatMap((found) => [...(found[part] ?? [])]));
    const none = new Map();
    return new Map(
      keys.map((key) => [key, withDistinct(amounts[part]?.get(key) ?? none, counted.get(key) ?? none)]),
    );
  });
};
