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

interface Adding {
  records: number;
  up_bytes: number;
  down_bytes: number;
  sessions: number[];
}

/** The sums of an hour's records by trait, and by SIM, sorted. */
export const countsOfHour = (
  groups: HourGroups,
): { byTrait: ReadonlyMap<number, Counted>; bySim: readonly SimCounts[] } => {
  const byTrait = new Map<number, Adding & { sims: number[] }>();
  const bySim: (Adding & { sim: number })[] = [];
  let last: (Adding & { sim: number }) | undefined;
  for (const place of bySimOf(groups.sims)) {
    const sim = groups.sims[place] ?? 0;
    if (last?.sim !== sim) {
      last = { sim, ...none() };
      bySim.push(last);
    }
    add(last, groups, place);
    const trait = groups.traits[place] ?? 0;
    let counted = byTrait.get(trait);
    if (!counted) {
      counted = { ...none(), sims: [] };
      byTrait.set(trait, counted);
    }
    add(counted, groups, place);
    if (counted.sims.at(-1) !== sim) counted.sims.push(sim);
  }
  for (const counted of byTrait.values()) sortOnce(counted.sessions);
  for (const counted of bySim) sortOnce(counted.sessions);
  return { byTrait, bySim };
};

const none = (): Adding => ({ records: 0, up_bytes: 0, down_bytes: 0, sessions: [] });

/** The positions of groups in the order of their SIMs, so that everything derived from them is sorted without another sort. */
const bySimOf = (sims: readonly number[]): number[] => {
  const count = sims.length;
  // SIM and position are packed into one number, which has room for two thousand million SIMs and four million
  // groups.
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place += 1) keys[place] = (sims[place] ?? 0) * count + place;
  return Array.from(keys.sort(), (key) => key % count);
};

const add = (counted: Adding, groups: HourGroups, place: number): void => {
  counted.records += groups.records[place] ?? 0;
  counted.up_bytes += groups.up_bytes[place] ?? 0;
  counted.down_bytes += groups.down_bytes[place] ?? 0;
  const session = groups.sessions[place] ?? null;
  if (session !== null) counted.sessions.push(session);
};

/** Sorts in place. */
const sortOnce = (numbers: number[]): void => {
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
