import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Sought } from '../cdr-filter.views.ts';
import type { Level } from '../counts/levels.rules.ts';
import {
  type Hour,
  isComputed,
  isOnePart,
  levelOf,
  type Sources,
  sourcesOf,
  storedCounts,
} from '../counts/stored.views.ts';
import {
  countDistinct,
  type Found,
  type Key,
  numberedOf,
  readAmounts,
  readRecordFigures,
  recordsIn,
  tellsApart,
} from './amounts.views.ts';
import { canCountFirsts, countByFirsts } from './firsts.views.ts';
import { countMembers } from './members.views.ts';
import { type Amounts, type Distinct, type Figures, withDistinct } from './sums.rules.ts';

const daySeconds = 86_400;

/** A span, and what its usage is summed by: not by SIM. */
export interface FigureSpan {
  sought: Sought;
  /** Those that it touches. */
  hours: readonly Hour[];
  /** Added to hours, in seconds: the period before stands beside the one asked for. */
  later: number;
  keys: readonly Key[];
  /** Those of which SIMs and sessions are counted, too. */
  counted: readonly Key[];
}

interface How {
  provisional: Date;
  /** Sums of no more records than these are read from them. */
  few: number;
}

/** A part of a span that is read together with others: what is read from records, or on one level. */
interface Part extends FigureSpan {
  /** The position of its span. */
  span: number;
  sources: Sources;
}

/**
 * The figures of spans by each of their keys: what is on one level of what was computed is read by one statement, and so is
 * what is read from records, of whichever spans.
 */
export const readFigures = async (
  db: Db,
  spans: readonly FigureSpan[],
  how: How,
): Promise<Map<Key, Figures>[]> => {
  const figures = spans.map(() => new Map<Key, Figures>());
  await Promise.all(
    [...partsOf(spans, how)].map(async ([on, parts]) => {
      const found = await (on === 'records'
        ? readRecords(db, parts, how)
        : readLevel(db, { level: on, parts, how }));
      parts.forEach(({ span, keys }, part) => {
        for (const key of keys) figures[span]?.set(key, new Map(found[part]?.get(key)));
      });
    }),
  );
  return figures;
};

type On = Level | 'records';

const partsOf = (spans: readonly FigureSpan[], { provisional: cut, few }: How): Map<On, Part[]> => {
  const found = new Map<On, Part[]>();
  spans.forEach((one, span) => {
    const { sought, hours, later } = one;
    const sourcesBy = (by: 'day' | 'hour') => sourcesOf(sought, { hours, by, cut, few });
    const [byDay, byHour] = [sourcesBy('day'), sourcesBy('hour')];
    const on = (key: Key): On => (isComputed(byDay) ? levelOf(sought, tellsApart(key)) : 'records');
    const tellsHours = (key: Key) => key === 'hour' || (key === 'day' && later % daySeconds !== 0);
    for (const level of new Set(one.keys.map(on))) {
      const keys = one.keys.filter((key) => on(key) === level);
      const counted = one.counted.filter((key) => keys.includes(key));
      const sources = keys.some(tellsHours) ? byHour : byDay;
      found.set(level, [...(found.get(level) ?? []), { ...one, keys, counted, span, sources }]);
    }
  });
  return found;
};

const readRecords = (
  db: Db,
  parts: readonly Part[],
  { provisional }: How,
): Promise<Found<Amounts & Distinct>[]> => {
  const spans = parts.map(({ sought, sources, ...part }) => ({
    ...part,
    usage: sql`(${recordsIn(sought, sources.records)})`,
  }));
  return readRecordFigures(db, { spans, provisional });
};

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
      records,
      // Without any, the database would still plan to read the records of all months.
      beside: part.sources.records.length > 0 ? numberedOf(part.sought, records) : undefined,
    };
  });
  const spans = read.map(({ stored, records, beside, ...part }) => ({
    ...part,
    usage: beside
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
    // Sessions that began after the last computation have no number, and are in no set.
    countDistinct(
      db,
      read.map(({ beside, ...part }) => ({
        ...part,
        usage: sql`(select * from ${beside ?? sql``} as r where number is null)`,
        keys: beside ? part.counted : [],
      })),
    ),
  ]);
  return read.map(({ keys }, part) => {
    const counted = together(counts.map((found) => found[part] ?? new Map()));
    const none = new Map();
    return new Map(
      keys.map((key) => [key, withDistinct(amounts[part]?.get(key) ?? none, counted.get(key) ?? none)]),
    );
  });
};

/** By firsts or by members, and the sessions without a number beside them; SIMs of those were counted already. */
const together = ([firsts, members, unnumbered]: readonly Found<Distinct>[]): Found<Distinct> => {
  const found: Found<Distinct> = new Map([...(firsts ?? []), ...(members ?? [])]);
  for (const [key, byName] of unnumbered ?? []) {
    const counted = found.get(key);
    for (const [name, { sessions }] of byName) {
      const one = counted?.get(name) ?? { sims: 0, sessions: 0 };
      counted?.set(name, { ...one, sessions: one.sessions + sessions });
    }
  }
  return found;
};
