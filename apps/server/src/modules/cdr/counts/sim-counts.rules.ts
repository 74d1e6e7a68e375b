import { NumberReader, packNumbers } from '../../../platform/packed/index.ts';
import { packSet, unionOf, unpackSet } from './number-sets.rules.ts';

const dayMs = 86_400_000;
/** Long enough that a question of the longest span reads few rows, short enough that three are in any such span. */
export const daysTogether = 8;

/** When the first of the days begins that are added up together with that of a time. */
export const togetherAt = (time: number): number =>
  Math.floor(time / (daysTogether * dayMs)) * daysTogether * dayMs;

/** What records of a SIM add up to. */
export interface SimAmounts {
  sim: number;
  records: number;
  up_bytes: number;
  down_bytes: number;
}

export interface SimCounts extends SimAmounts {
  /** Their numbers, once each, sorted. */
  sessions: readonly number[];
}

/**
 * Each SIM after the other, by id: how far it is from the one before, records, bytes up and down, and how many bytes its
 * sessions take, which are a set (`packSet`) that is only read when it is asked for.
 */
export const packSims = (sorted: readonly SimCounts[]): Buffer =>
  packNumbers((add, addBytes) => {
    let last = 0;
    for (const { sim, records, up_bytes, down_bytes, sessions } of sorted) {
      const set = packSet(sessions);
      for (const value of [sim - last, records, up_bytes, down_bytes, set.length]) add(value);
      addBytes(set);
      last = sim;
    }
  });

/** A place in a pack between two SIMs: how many bytes it begins at, and the id of the SIM before it. */
export interface PackPlace {
  offset: number;
  sim: number;
}

const beginning: PackPlace = { offset: 0, sim: 0 };

/**
 * Tells each SIM of a pack, by id, in the same object each time, with a way to its sessions, packed as a set.
 * @param marked is handed a place after each so many SIMs, from which on the pack can be read later
 */
export const eachSim = (
  packed: Uint8Array,
  told: (amounts: SimAmounts, sessions: () => Uint8Array) => void,
  { from = beginning, marked }: { from?: PackPlace; marked?: (place: PackPlace) => void } = {},
): void => {
  const reader = new NumberReader(packed.subarray(from.offset));
  const amounts = { sim: from.sim, records: 0, up_bytes: 0, down_bytes: 0 };
  let length = 0;
  const sessions = () => reader.ahead(length);
  for (let count = 1; !reader.isDone(); count += 1) {
    amounts.sim += reader.next();
    amounts.records = reader.next();
    amounts.up_bytes = reader.next();
    amounts.down_bytes = reader.next();
    length = reader.next();
    told(amounts, sessions);
    reader.skip(length);
    if (marked && count % simsBetweenMarks === 0) {
      marked({ offset: from.offset + reader.position, sim: amounts.sim });
    }
  }
};

/** Between two marks no more SIMs are passed over to reach one. */
const simsBetweenMarks = 32;

/** What several packs add up to, packed: sessions that more than one has are there once. */
export const packTogether = (packs: readonly Uint8Array[]): Buffer => {
  const bySim = new Map<number, SimAmounts & { sets: Uint8Array[] }>();
  for (const pack of packs) {
    eachSim(pack, ({ sim, records, up_bytes, down_bytes }, sessions) => {
      const found = bySim.get(sim);
      if (!found) {
        bySim.set(sim, { sim, records, up_bytes, down_bytes, sets: [sessions()] });
        return;
      }
      found.records += records;
      found.up_bytes += up_bytes;
      found.down_bytes += down_bytes;
      found.sets.push(sessions());
    });
  }
  const sorted = [...bySim.values()].sort((a, b) => a.sim - b.sim);
  return packSims(
    sorted.map(({ sets, ...amounts }) => ({ ...amounts, sessions: unionOf(sets.map(unpackSet)) })),
  );
};
