import { groupBy } from '../../../platform/collections/index.ts';
import { packBits, packSet, unionOf } from './number-sets.rules.ts';

/** Sums and members of the records of an hour or a day. */
export interface Counted {
  records: number;
  up_bytes: number;
  down_bytes: number;
  /** Ids, sorted. */
  sims: readonly number[];
  /** Session numbers, sorted. */
  sessions: readonly number[];
}

/** The same for one trait. */
export interface TraitCounts extends Counted {
  trait_id: number;
  country: string;
  /** The first trait with the same APN. */
  apn_id: number;
  plmn: number;
  radio: number;
  source: number;
}

export const levels = ['all', 'country', 'network', 'radio', 'apn', 'source', 'trait'] as const;
export type Level = (typeof levels)[number];

/** A row of `cdr_counts`, without organisation and time. */
export interface LevelCounts extends Omit<Counted, 'sims' | 'sessions'> {
  level: Level;
  part: number;
  sims: number;
  sessions: number;
  sim_set: Buffer;
  session_set: Buffer;
  /** The same set as bits, if it is dense. */
  sim_bits: Buffer | null;
  session_bits: Buffer | null;
}

/** The number of a two-letter country code, independent of the networks in the country. */
export const countryPart = (code: string): number => code.charCodeAt(0) * 256 + code.charCodeAt(1);

const partOf: Record<Level, (counts: TraitCounts) => number> = {
  all: () => 0,
  country: ({ country }) => countryPart(country),
  network: ({ plmn }) => plmn,
  radio: ({ radio }) => radio,
  apn: ({ apn_id }) => apn_id,
  source: ({ source }) => source,
  trait: ({ trait_id }) => trait_id,
};

const sumOf = (counts: readonly Counted[], field: 'records' | 'up_bytes' | 'down_bytes'): number =>
  counts.reduce((sum, one) => sum + one[field], 0);

const unite = (counts: readonly TraitCounts[]): TraitCounts => ({
  ...(counts[0] as TraitCounts),
  records: sumOf(counts, 'records'),
  up_bytes: sumOf(counts, 'up_bytes'),
  down_bytes: sumOf(counts, 'down_bytes'),
  sims: unionOf(counts.map((one) => one.sims)),
  sessions: unionOf(counts.map((one) => one.sessions)),
});

const uniteBy = (counts: readonly TraitCounts[], level: Level): [part: number, TraitCounts][] =>
  [...groupBy(counts, partOf[level])].map(([part, of]) => [part, unite(of)]);

/**
 * Adds up counts by trait (possibly several of one trait) on every level: first by trait, of which there are few.
 * @param hasBits whether dense sets are returned as bits, too
 */
export const onLevels = (counts: readonly TraitCounts[], hasBits: boolean): LevelCounts[] => {
  const byTrait = uniteBy(counts, 'trait').map(([, one]) => one);
  return levels.flatMap((level) =>
    uniteBy(byTrait, level).map(([part, { records, up_bytes, down_bytes, sims, sessions }]) => ({
      level,
      part,
      records,
      up_bytes,
      down_bytes,
      sims: sims.length,
      sessions: sessions.length,
      sim_set: packSet(sims),
      session_set: packSet(sessions),
      sim_bits: hasBits ? packBits(sims) : null,
      session_bits: hasBits ? packBits(sessions) : null,
    })),
  );
};
