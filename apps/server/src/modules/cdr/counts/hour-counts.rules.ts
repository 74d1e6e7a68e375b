import type { Counted } from './levels.rules.ts';
import type { SimCounts } from './sim-counts.rules.ts';

/** Groups of an hour's records with the same trait, SIM and session, in columns. */
export interface HourGroups {
  hourAt: Date;
  traits: readonly number[];
  sims: readonly number[];
  /** Session numbers; null without a session. */
  sessions: readonly (number | null)[];
  records: readonly number[];
  up_bytes: readonly number[];
  down_bytes: readonly number[];
}

interface Accumulator {
  records: number;
  up_bytes: number;
  down_bytes: number;
  sessions: number[];
}

/** The sums of an hour's records by trait, and by SIM, sorted. */
export const countsOfHour = (
  groups: HourGroups,
): { byTrait: ReadonlyMap<number, Counted>; bySim: readonly SimCounts[] } => {
  const byTrait = new Map<number, Accumulator & { sims: number[] }>();
  const bySim: (Accumulator & { sim: number })[] = [];
  let last: (Accumulator & { sim: number }) | undefined;
  for (const position of positionsBySim(groups.sims)) {
    const sim = groups.sims[position] ?? 0;
    if (last?.sim !== sim) {
      last = { sim, ...emptyAccumulator() };
      bySim.push(last);
    }
    add(last, groups, position);
    const trait = groups.traits[position] ?? 0;
    let counted = byTrait.get(trait);
    if (!counted) {
      counted = { ...emptyAccumulator(), sims: [] };
      byTrait.set(trait, counted);
    }
    add(counted, groups, position);
    if (counted.sims.at(-1) !== sim) counted.sims.push(sim);
  }
  for (const counted of byTrait.values()) sortUnique(counted.sessions);
  for (const counted of bySim) sortUnique(counted.sessions);
  return { byTrait, bySim };
};

const emptyAccumulator = (): Accumulator => ({ records: 0, up_bytes: 0, down_bytes: 0, sessions: [] });

/** The positions of groups in the order of their SIMs, so that everything derived from them is sorted without another sort. */
const positionsBySim = (sims: readonly number[]): number[] => {
  const count = sims.length;
  // SIM and position are packed into one number, which has room for two thousand million SIMs and four million
  // groups.
  const keys = new Float64Array(count);
  for (let position = 0; position < count; position += 1)
    keys[position] = (sims[position] ?? 0) * count + position;
  return Array.from(keys.sort(), (key) => key % count);
};

const add = (counted: Accumulator, groups: HourGroups, position: number): void => {
  counted.records += groups.records[position] ?? 0;
  counted.up_bytes += groups.up_bytes[position] ?? 0;
  counted.down_bytes += groups.down_bytes[position] ?? 0;
  const session = groups.sessions[position] ?? null;
  if (session !== null) counted.sessions.push(session);
};

/** Sorts in place. */
const sortUnique = (numbers: number[]): void => {
  if (numbers.length < 2) return;
  const sorted = Float64Array.from(numbers).sort();
  let length = 0;
  for (const number of sorted) {
    if (length > 0 && numbers[length - 1] === number) continue;
    numbers[length] = number;
    length += 1;
  }
  numbers.length = length;
};
