const capacityUsual = 4096;
/** Maximum number of sums of one owner and time that are searched linearly. */
const runMost = 16;

/**
 * Usage summed by owner, time, network and radio type, in columns: a chunk of a file has as many sums as records, and
 * objects would cost more than the sums. The owner is a SIM or an organisation; time is a number of hours or days
 * since 1970.
 */
export class UsageSums {
  length = 0;
  owner: Float64Array;
  time: Int32Array;
  plmn: Int32Array;
  radio: Uint8Array;
  up: Float64Array;
  down: Float64Array;
  records: Int32Array;
  /**
   * Open addressing, at most half full: a sum's position + 1, or 0. Undefined as long as usage arrives in the order
   * of owner and time: then a sum is among the last ones or new.
   */
  #slots: Int32Array | undefined;
  #last = -1;
  /** First of the sums with the same owner and time as the last one. */
  #run = 0;

  /** @param capacity expected maximum number of sums; it grows beyond that */
  constructor(capacity = capacityUsual) {
    const room = Math.max(capacity, 1);
    this.owner = new Float64Array(room);
    this.time = new Int32Array(room);
    this.plmn = new Int32Array(room);
    this.radio = new Uint8Array(room);
    this.up = new Float64Array(room);
    this.down = new Float64Array(room);
    this.records = new Int32Array(room);
  }

  /** Called for each record, so its arguments are not an object. @returns the position of the sum to add to */
  placeOf(owner: number, time: number, plmn: number, radio: number): number {
    const last = this.#last;
    if (last >= 0 && this.#is(last, owner, time, plmn, radio)) return last;
    const place = this.#slots
      ? this.#placeInTable(this.#slots, owner, time, plmn, radio)
      : this.#placeInOrder(owner, time, plmn, radio);
    this.#last = place;
    return place;
  }

  add(place: number, up: number, down: number, records: number): void {
    this.up[place] = (this.up[place] as number) + up;
    this.down[place] = (this.down[place] as number) + down;
    this.records[place] = (this.records[place] as number) + records;
  }

  /** Positions in the order of the tables' keys, so that concurrent writers lock in the same order. */
  inOrder(): Int32Array {
    const places = new Int32Array(this.length);
    let isOrdered = true;
    for (let place = 0; place < places.length; place += 1) {
      places[place] = place;
      if (place > 0 && this.#compare(place - 1, place) > 0) isOrdered = false;
    }
    return isOrdered ? places : places.sort((a, b) => this.#compare(a, b));
  }

  #placeInOrder(owner: number, time: number, plmn: number, radio: number): number {
    if (this.length === 0) return this.#append(owner, time, plmn, radio);
    const last = this.length - 1;
    const isSame = this.owner[last] === owner && this.time[last] === time;
    const isLater =
      owner > (this.owner[last] as number) ||
      (owner === this.owner[last] && time > (this.time[last] as number));
    if (isLater) {
      this.#run = this.length;
      return this.#append(owner, time, plmn, radio);
    }
    if (isSame && this.length - this.#run <= runMost) {
      for (let place = this.#run; place < this.length; place += 1) {
        if (this.plmn[place] === plmn && this.radio[place] === radio) return place;
      }
      return this.#append(owner, time, plmn, radio);
    }
    this.#slots = this.#table();
    return this.#placeInTable(this.#slots, owner, time, plmn, radio);
  }

  #placeInTable(slots: Int32Array, owner: number, time: number, plmn: number, radio: number): number {
    const mask = slots.length - 1;
    let slot = hashOf(owner, time, plmn, radio) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] as number) - 1;
      if (place < 0) break;
      if (this.#is(place, owner, time, plmn, radio)) return place;
    }
    const place = this.#append(owner, time, plmn, radio);
    slots[slot] = place + 1;
    if (2 * this.length > slots.length) this.#slots = this.#table();
    return place;
  }

  #append(owner: number, time: number, plmn: number, radio: number): number {
    const place = this.length;
    if (place === this.owner.length) this.#grow();
    this.owner[place] = owner;
    this.time[place] = time;
    this.plmn[place] = plmn;
    this.radio[place] = radio;
    this.length += 1;
    return place;
  }

  #is(place: number, owner: number, time: number, plmn: number, radio: number): boolean {
    return (
      this.time[place] === time &&
      this.owner[place] === owner &&
      this.plmn[place] === plmn &&
      this.radio[place] === radio
    );
  }

  #compare(a: number, b: number): number {
    return (
      (this.owner[a] as number) - (this.owner[b] as number) ||
      (this.time[a] as number) - (this.time[b] as number) ||
      (this.plmn[a] as number) - (this.plmn[b] as number) ||
      (this.radio[a] as number) - (this.radio[b] as number)
    );
  }

  /** Builds the hash table of all sums, with room for as many again. */
  #table(): Int32Array {
    let size = 64;
    while (size < 4 * this.length) size *= 2;
    const slots = new Int32Array(size);
    const mask = size - 1;
    const { owner, time, plmn, radio } = this;
    for (let place = 0; place < this.length; place += 1) {
      const hash = hashOf(
        owner[place] as number,
        time[place] as number,
        plmn[place] as number,
        radio[place] as number,
      );
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    return slots;
  }

  #grow(): void {
    const length = 2 * this.owner.length;
    const wide = (old: Float64Array) => {
      const column = new Float64Array(length);
      column.set(old);
      return column;
    };
    const narrow = (old: Int32Array) => {
      const column = new Int32Array(length);
      column.set(old);
      return column;
    };
    const radio = new Uint8Array(length);
    radio.set(this.radio);
    this.radio = radio;
    this.owner = wide(this.owner);
    this.up = wide(this.up);
    this.down = wide(this.down);
    this.time = narrow(this.time);
    this.plmn = narrow(this.plmn);
    this.records = narrow(this.records);
  }
}

const hashOf = (owner: number, time: number, plmn: number, radio: number): number => {
  let hash = Math.imul(owner | 0, 0x9e3779b1) ^ Math.imul(time, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15) ^ plmn, 0xc2b2ae3d) ^ Math.imul(radio, 0x27d4eb2f);
  return hash ^ (hash >>> 13);
};
