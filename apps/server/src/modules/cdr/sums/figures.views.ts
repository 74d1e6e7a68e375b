import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Sought } from '../cdr-filter.views.ts';
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
import { readAmounts, recordsIn, tellsApart } from './amounts.views.ts';
import { isOfTimeAlone, readChosen } from './chosen.views.ts';
import { canCountFirsts, countByFirsts } from './firsts.views.ts';
import { countMembers } from './members.views.ts';
import type { RecordKey } from './record-sums.rules.ts';
import { readRecordSums } from './record-sums.views.ts';
import {
  type Amounts,
  type Distinct,
  type Figures,
  type Found,
  type Key,
  withDistinct,
} from './sums.rules.ts';

const daySeconds = 86_400;

/** A span, and its groupings, except by SIM. */
export interface FigureSpan {
  sought: Sought;
  /** The hours that it touches. */
  hours: readonly Hour[];
  /** Seconds added to hours, so that the previous period is aligned with the queried one. */
  later: number;
  keys: readonly Key[];
  /** The keys for which SIMs and sessions are counted, too. */
  counted: readonly Key[];
}

interface How {
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
  how: How,
): Promise<Map<Key, Figures>[]> => {
  const figures = spans.map(() => new Map<Key, Figures>());
  await Promise.all(
    [...partsOf(spans, how)].map(async ([on, parts]) => {
      const found = await readPartsOn(db, { on, parts, how });
      parts.forEach(({ span, keys }, part) => {
        for (const key of keys) figures[span]?.set(key, new Map(found[part]?.get(key)));
      });
    }),
  );
  return figures;
};

/** A level of stored counts, packs, or records. */
type On = Level | 'sims' | 'records';

const readPartsOn = (
  db: Db,
  { on, parts, how }: { on: On; parts: readonly Part[]; how: How },
): Promise<readonly ReadonlyMap<Key, Figures>[]> => {
  if (on === 'records') return readRecords(db, parts, how);
  if (on === 'sims') return Promise.all(parts.map((part) => readSims(db, part, how)));
  return readLevel(db, { level: on, parts, how });
};

const readSims = async (db: Db, part: Part, how: How): Promise<ReadonlyMap<Key, Figures>> => {
  const found = await readChosen(db, part, how.provisional);
  if (found) return found;
  const [records] = await readRecords(db, [{ ...part, sources: ofRecords(part.sought, part.sources) }], how);
  return records ?? new Map();
};

const ofRecords = ({ from, to }: Sought, sources: Sources): Sources => ({
  ...sources,
  days: [],
  hours: [],
  records: [{ from, to }],
});

const partsOf = (spans: readonly FigureSpan[], { provisional: cut, few }: How): Map<On, Part[]> => {
  const found = new Map<On, Part[]>();
  spans.forEach((one, span) => {
    const { sought, hours, later } = one;
    const sourcesBy = (by: 'day' | 'hour') => sourcesOf(sought, { hours, by, cut, few });
    const [byDay, byHour] = [sourcesBy('day'), sourcesBy('hour')];
    const on = (key: Key): On => {
      if (!isComputed(byDay) || isMostlyBeside(byDay)) return 'records';
      if (sought.simIds) return isOfTimeAlone(key) ? 'sims' : 'records';
      return levelOf(sought, tellsApart(key));
    };
    const tellsHours = (key: Key) => key === 'hour' || (key === 'day' && later % daySeconds !== 0);
    for (const level of new Set(one.keys.map(on))) {
      const keys = one.keys.filter((key) => on(key) === level);
      const counted = one.counted.filter((key) => keys.includes(key));
      const split = keys.some(tellsHours) ? byHour : byDay;
      const sources = level === 'records' ? ofRecords(sought, split) : split;
      found.set(level, [...(found.get(level) ?? []), { ...one, keys, counted, span, sources }]);
    }
  });
  return found;
};

/**
 * Records outside the stored counts are looked up one by one for each level; if there are many, all records are read
 * once instead.
 */
const isMostlyBeside = ({ beside, all }: Sources): boolean => beside > fewRecords && beside * 8 > all;

const readRecords = async (
  db: Db,
  parts: readonly Part[],
  { provisional }: How,
): Promise<ReadonlyMap<Key, Figures>[]> =>
  Promise.all(
    parts.map(async ({ keys, counted, ...part }) => {
      const asked = { ...part, keys: keys.filter(isOfRecords), counted: counted.filter(isOfRecords) };
      return readRecordSums(db, asked, provisional);
    }),
  );

const isOfRecords = (key: Key): key is RecordKey => key !== 'sim';

const amountColumns = sql`select hour_at, country, plmn, radio, records, up_bytes, down_bytes`;

const readLevel = async (
  db: Db,
  { level, parts, how }: { level: Level; parts: readonly Part[]; how: How },
): Promise<Found<Amounts & Distinct>[]> => {
  const read = parts.map((part) => {
    const records = recordsIn(part.sought, part.sources.records);
    return {
      ...part,
      level,
      stored: sql`(${storedCounts(part.sought, part.sources, level)})`,
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
  const isFirst = ({ sought, sources }: Part, key: Key): boolean =>
    key !== 'hour' && isOnePart(sought, level, tellsApart(key)) && canCountFirsts(sought, sources, level);
  const [amounts, ...counts] = await Promise.all([
    readAmounts(db, { spans, provisional: how.provisional }),
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
