import { packBits, packSet, unionOf } from './number-sets.rules.ts';

/** What records of an hour or a day add up to. */
export interface Counted {
  records: number;
  up_bytes: number;
  down_bytes: number;
  /** Ids, sorted. */
  sims: readonly number[];
  /** Numbers, sorted. */
  sessions: readonly number[];
}

/** Of one trait. */
export interface TraitCounts extends Counted {
  trait_id: number;
  country: string;
  /** The first trait of the same APN. */
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
  /** The same as bits, where they are dense. */
  sim_bits: Buffer | null;
  session_bits: Buffer | null;
}

/** The number of a country's code of two letters, the same whichever networks are in it. */
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

/** Counts by trait, several of a trait perhaps, added up on every level. */
export const onLevels = (counts: readonly TraitCounts[]): LevelCounts[] =>
  levels.flatMap((level) =>
    [...byPart(counts, partOf[level])].map(([part, of]) => {
      const sims = unionOf(of.map((one) => one.sims));
      const sessions = unionOf(of.map((one) => one.sessions));
      return {
        level,
        part,
        records: sumOf(of, 'records'),
        up_bytes: sumOf(of, 'up_bytes'),
        down_bytes: sumOf(of, 'down_bytes'),
        sims: sims.length,
        sessions: sessions.length,
        sim_set: packSet(sims),
        session_set: packSet(sessions),
        sim_bits: packBits(sims),
        session_bits: packBits(sessions),
      };
    }),
  );

const byPart = (
  counts: readonly TraitCounts[],
  partIn: (counts: TraitCounts) => number,
): Map<number, TraitCounts[]> => {
  const parts = new Map<number, TraitCounts[]>();
  for (const one of counts) {
    const part = partIn(one);
    const others = parts.get(part);
    if (others) others.push(one);
    else parts.set(part, [one]);
  }
  return parts;
};
