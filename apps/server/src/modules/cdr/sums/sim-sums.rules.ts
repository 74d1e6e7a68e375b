import { leastOf } from '../counts/greatest.rules.ts';
import { eachOf, NumberSet } from '../counts/number-sets.rules.ts';
import { type SimAmounts, type SimCounts, SimReader, sessionsAt } from '../counts/sim-counts.rules.ts';
import type { Amounts, Figures } from './sums.rules.ts';

interface Pack {
  packed: Uint8Array;
  /** The most usage of a SIM that it leaves out; 0 when it has all. */
  rest: number;
  /** Those that it has, sorted, and where the sessions of each are: of few they are read once all are added up. */
  sims: Uint32Array;
  places: Uint32Array;
}

/** Enough for small questions. */
const leastRoom = 1024;

/** Adds up figures by SIM: of packs and of records beside them, each session once. */
export class SimSums {
  readonly #packs: Pack[] = [];
  readonly #beside = new Map<number, { sessions: readonly number[]; unnumbered: number }>();
  #count = 0;
  /** By position, as what follows, with room for more: arrays of numbers that are nothing else take a third of the time. */
  #sims: Float64Array<ArrayBuffer>;
  #records: Float64Array<ArrayBuffer>;
  #up: Float64Array<ArrayBuffer>;
  #down: Float64Array<ArrayBuffer>;
  /** The `rest` of the packs that have each. */
  #rests: Float64Array<ArrayBuffer>;
  /** Of what is provisional. */
  #lateRecords: Float64Array<ArrayBuffer>;
  #lateUp: Float64Array<ArrayBuffer>;
  #lateDown: Float64Array<ArrayBuffer>;
  /** Packed sets of SIMs that were looked up. */
  readonly #found = new Map<number, Uint8Array[]>();
  /** By SIM, from 1 on; 0 of those that are not there. */
  #positions = new Int32Array(leastRoom);

  /** @param bytes of all packs: arrays that are long enough at once are not copied */
  constructor(bytes = 0) {
    const room = Math.max(leastRoom, 2 ** Math.ceil(Math.log2(bytes / usualBytes / 2 + 1)));
    const of = () => new Float64Array(room);
    [this.#sims, this.#records, this.#up, this.#down, this.#rests] = [of(), of(), of(), of(), of()];
    [this.#lateRecords, this.#lateUp, this.#lateDown] = [of(), of(), of()];
  }

  /** @param rest the most usage of a SIM that the pack leaves out; 0 when it has all */
  addPack(packed: Uint8Array, { isLate, rest }: { isLate: boolean; rest: number }): void {
    const reader = new SimReader(packed);
    let sims = new Uint32Array(Math.ceil(packed.length / usualBytes));
    let places = new Uint32Array(sims.length);
    let count = 0;
    for (; reader.read(); count += 1) {
      const place = this.#add(reader);
      if (rest > 0) this.#rests[place] = (this.#rests[place] ?? 0) + rest;
      if (isLate) this.#addLate(place, reader.records, reader.up_bytes, reader.down_bytes);
      if (count === sims.length) [sims, places] = [doubled(sims), doubled(places)];
      sims[count] = reader.sim;
      places[count] = reader.place;
    }
    this.#packs.push({ packed, rest, sims: sims.subarray(0, count), places: places.subarray(0, count) });
  }

  /** A SIM that was looked up in a pack, with its sessions, packed as a set. */
  addFound(amounts: SimAmounts, { sessions, isLate }: { sessions: Uint8Array; isLate: boolean }): void {
    const place = this.#add(amounts);
    this.#found.set(place, [...(this.#found.get(place) ?? []), sessions]);
    if (isLate) this.#addLate(place, amounts.records, amounts.up_bytes, amounts.down_bytes);
  }

  /**
   * The SIMs that may be among those with the most usage, and are to be looked up in the packs that leave them out: by the
   * position of the pack, sorted. A SIM has at most what is known of it and, of each pack that leaves it out, the most that
   * one of those has. Undefined where too many may be.
   */
  leftOut(most: number): number[][] | undefined {
    const rest = this.#packs.reduce((sum, pack) => sum + pack.rest, 0);
    if (rest === 0) return [];
    const volumes = this.#volumes();
    const least = leastOf(volumes, most);
    if (this.#count < most || rest >= least) return undefined;
    const found: number[] = [];
    for (let place = 0; place < volumes.length; place += 1) {
      const possible = (volumes[place] ?? 0) + rest - (this.#rests[place] ?? 0);
      if (possible >= least) found.push(this.#sims[place] ?? 0);
    }
    if (found.length > lookedUpMost) return undefined;
    found.sort((a, b) => a - b);
    return this.#packs.map((pack) => (pack.rest === 0 ? [] : notIn(pack.sims, found)));
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
    return new Map(
      places.map((place) => [
        String(this.#sims[place]),
        {
          records: this.#records[place] ?? 0,
          up_bytes: this.#up[place] ?? 0,
          down_bytes: this.#down[place] ?? 0,
          late_records: this.#lateRecords[place] ?? 0,
          late_up_bytes: this.#lateUp[place] ?? 0,
          late_down_bytes: this.#lateDown[place] ?? 0,
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
    this.#lateRecords[place] = (this.#lateRecords[place] ?? 0) + records;
    this.#lateUp[place] = (this.#lateUp[place] ?? 0) + up;
    this.#lateDown[place] = (this.#lateDown[place] ?? 0) + down;
  }

  #placeOf(sim: number): number | undefined {
    const next = this.#positions[sim] ?? 0;
    return next === 0 ? undefined : next - 1;
  }

  #begin(sim: number): number {
    if (sim >= this.#positions.length) {
      // SIMs mostly come in their order: twice as much would be copied again and again.
      const wider = new Int32Array(2 ** Math.ceil(Math.log2(4 * sim + 1)));
      wider.set(this.#positions);
      this.#positions = wider;
    }
    const place = this.#count;
    if (place >= this.#sims.length) {
      this.#sims = doubled(this.#sims);
      this.#records = doubled(this.#records);
      this.#up = doubled(this.#up);
      this.#down = doubled(this.#down);
      this.#rests = doubled(this.#rests);
      this.#lateRecords = doubled(this.#lateRecords);
      this.#lateUp = doubled(this.#lateUp);
      this.#lateDown = doubled(this.#lateDown);
    }
    this.#count += 1;
    this.#positions[sim] = place + 1;
    this.#sims[place] = sim;
    return place;
  }

  #volumes(): Float64Array {
    const volumes = new Float64Array(this.#count);
    for (let place = 0; place < volumes.length; place += 1) {
      volumes[place] = (this.#up[place] ?? 0) + (this.#down[place] ?? 0);
    }
    return volumes;
  }

  #withMost(most: number): number[] {
    const volumes = this.#volumes();
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
    let counted = 0;
    const count = (session: number) => {
      if (seen.add(session)) counts.set(counted, (counts.get(counted) ?? 0) + 1);
    };
    for (const pack of this.#packs) {
      for (counted of places) {
        const place = placeIn(pack, this.#sims[counted] ?? 0);
        if (place !== undefined) eachOf(sessionsAt(pack.packed, place), count);
      }
    }
    for (counted of places) {
      for (const set of this.#found.get(counted) ?? []) eachOf(set, count);
      this.#beside.get(counted)?.sessions.forEach(count);
    }
    return counts;
  }
}

/** More are read faster by reading all. */
const lookedUpMost = 20_000;

/** Of a SIM, with few sessions; there is room for more. */
const usualBytes = 12;

/** Where the sessions of a SIM are in a pack, if it has the SIM. */
const placeIn = ({ sims, places }: Pack, sim: number): number | undefined => {
  let [from, to] = [0, sims.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sims[middle] ?? 0) < sim) from = middle + 1;
    else to = middle;
  }
  return sims[from] === sim ? places[from] : undefined;
};

/** Those of some SIMs that a pack does not have; both are sorted. */
const notIn = (own: Uint32Array, sims: readonly number[]): number[] => {
  let place = 0;
  return sims.filter((sim) => {
    while ((own[place] ?? Number.POSITIVE_INFINITY) < sim) place += 1;
    return own[place] !== sim;
  });
};

const doubled = <T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(numbers: T): T => {
  const wider = new (numbers.constructor as new (length: number) => T)(2 * numbers.length);
  wider.set(numbers);
  return wider;
};
