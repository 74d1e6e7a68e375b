import { eachOf, NumberSet } from '../counts/number-sets.rules.ts';
import { eachSim, type PackPlace, type SimAmounts, type SimCounts } from '../counts/sim-counts.rules.ts';
import type { Amounts, Figures } from './sums.rules.ts';

/** With places in it from which on sessions are read: all of it is read once, and of that a little again. */
interface Pack {
  packed: Uint8Array;
  places: PackPlace[];
}

/** Adds up figures by SIM: of packs and of records beside them, each session once. */
export class SimSums {
  readonly #packs: Pack[] = [];
  readonly #beside = new Map<number, { sessions: readonly number[]; unnumbered: number }>();
  #count = 0;
  /** By position, as what follows, with room for more: arrays of numbers that are nothing else take a third of the time. */
  #sims = new Float64Array(1024);
  #records = new Float64Array(1024);
  #up = new Float64Array(1024);
  #down = new Float64Array(1024);
  /** Of what is provisional. */
  readonly #late = new Map<number, Pick<Amounts, 'late_records' | 'late_up_bytes' | 'late_down_bytes'>>();
  /** By SIM, from 1 on; 0 of those that are not there. */
  #positions = new Int32Array(1024);

  addPack(packed: Uint8Array, isLate: boolean): void {
    const places: PackPlace[] = [{ offset: 0, sim: 0 }];
    eachSim(
      packed,
      (amounts) => {
        const place = this.#add(amounts);
        if (isLate) this.#addLate(place, amounts.records, amounts.up_bytes, amounts.down_bytes);
      },
      { marked: (place) => places.push(place) },
    );
    this.#packs.push({ packed, places });
  }

  /** @param counts once of a SIM, with how many of its sessions have no number yet */
  addRecords(counts: SimCounts & Amounts & { unnumbered: number }): void {
    const place = this.#add(counts);
    this.#beside.set(place, counts);
    this.#addLate(place, counts.late_records, counts.late_up_bytes, counts.late_down_bytes);
  }

  /** Those with the most usage, of all or of some. */
  figures({ most, only }: { most: number; only: readonly number[] | undefined }): Figures {
    const places = only
      ? only.map((sim) => this.#placeOf(sim)).filter((place) => place !== undefined)
      : this.#withMost(most);
    const sessions = this.#countSessions(places);
    const none = { late_records: 0, late_up_bytes: 0, late_down_bytes: 0 };
    return new Map(
      places.map((place) => [
        String(this.#sims[place]),
        {
          records: this.#records[place] ?? 0,
          up_bytes: this.#up[place] ?? 0,
          down_bytes: this.#down[place] ?? 0,
          ...(this.#late.get(place) ?? none),
          sims: 1,
          sessions: sessions.get(place) ?? 0,
        },
      ]),
    );
  }

  #add({ sim, records, up_bytes, down_bytes }: SimAmounts): number {
    const place = this.#placeOf(sim) ?? this.#begin(sim);
    this.#records[place] = (this.#records[place] ?? 0) + records;
    this.#up[place] = (this.#up[place] ?? 0) + up_bytes;
    this.#down[place] = (this.#down[place] ?? 0) + down_bytes;
    return place;
  }

  #addLate(place: number, records: number, up: number, down: number): void {
    if (records === 0) return;
    const found = this.#late.get(place);
    this.#late.set(place, {
      late_records: (found?.late_records ?? 0) + records,
      late_up_bytes: (found?.late_up_bytes ?? 0) + up,
      late_down_bytes: (found?.late_down_bytes ?? 0) + down,
    });
  }

  #placeOf(sim: number): number | undefined {
    const next = this.#positions[sim] ?? 0;
    return next === 0 ? undefined : next - 1;
  }

  #begin(sim: number): number {
    if (sim >= this.#positions.length) {
      const wider = new Int32Array(2 ** Math.ceil(Math.log2(sim + 1)));
      wider.set(this.#positions);
      this.#positions = wider;
    }
    const place = this.#count;
    if (place >= this.#sims.length) {
      this.#sims = doubled(this.#sims);
      this.#records = doubled(this.#records);
      this.#up = doubled(this.#up);
      this.#down = doubled(this.#down);
    }
    this.#count += 1;
    this.#positions[sim] = place + 1;
    this.#sims[place] = sim;
    return place;
  }

  #withMost(most: number): number[] {
    const volumes = new Float64Array(this.#count);
    for (let place = 0; place < volumes.length; place += 1) {
      volumes[place] = (this.#up[place] ?? 0) + (this.#down[place] ?? 0);
    }
    const least = leastOf(volumes, most);
    const places: number[] = [];
    for (let place = 0; place < volumes.length; place += 1) {
      if ((volumes[place] ?? 0) >= least) places.push(place);
    }
    const name = (place: number) => String(this.#sims[place]);
    return places
      .sort((a, b) => (volumes[b] ?? 0) - (volumes[a] ?? 0) || (name(a) < name(b) ? -1 : 1))
      .slice(0, most);
  }

  /** Of the SIMs that are shown alone: there are more sessions than anything else. */
  #countSessions(places: readonly number[]): Map<number, number> {
    const seen = new NumberSet();
    const counts = new Map(places.map((place) => [place, this.#beside.get(place)?.unnumbered ?? 0]));
    const shown = Float64Array.from(places, (place) => this.#sims[place] ?? 0).sort();
    let counted = 0;
    const count = (session: number) => {
      if (seen.add(session)) counts.set(counted, (counts.get(counted) ?? 0) + 1);
    };
    for (const pack of this.#packs) {
      for (const { part, from } of partsWith(pack, shown)) {
        eachSim(
          part,
          ({ sim }, sessions) => {
            counted = this.#placeOf(sim) ?? 0;
            if (counts.has(counted)) eachOf(sessions(), count);
          },
          { from },
        );
      }
    }
    for (counted of places) this.#beside.get(counted)?.sessions.forEach(count);
    return counts;
  }
}

const doubled = (numbers: Float64Array): Float64Array<ArrayBuffer> => {
  const wider = new Float64Array(2 * numbers.length);
  wider.set(numbers);
  return wider;
};

/**
 * The least of so many that are the greatest of all. Those are kept in a heap, the least of them first: of a million few
 * are greater than it, so that each is looked at once.
 */
const leastOf = (numbers: Float64Array, most: number): number => {
  if (numbers.length <= most) return 0;
  const heap = numbers.slice(0, most).sort();
  for (let index = most; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (number <= (heap[0] ?? 0)) continue;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if ((heap[child + 1] ?? Infinity) < (heap[child] ?? 0)) child += 1;
      const lesser = heap[child] ?? 0;
      if (lesser >= number) break;
      heap[place] = lesser;
      place = child;
    }
    heap[place] = number;
  }
  return heap[0] ?? 0;
};

/** The parts of a pack, between two places, that may have some of these SIMs, which are sorted. */
const partsWith = ({ packed, places }: Pack, sims: Float64Array): { part: Uint8Array; from: PackPlace }[] => {
  let index = 0;
  return places.flatMap((from, at) => {
    const next = places[at + 1];
    while ((sims[index] ?? Infinity) <= from.sim) index += 1;
    const isThere = index < sims.length && (sims[index] ?? 0) <= (next?.sim ?? Infinity);
    return isThere ? { part: packed.subarray(0, next?.offset), from } : [];
  });
};
