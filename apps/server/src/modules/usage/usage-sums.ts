/**
 * Usage summed by owner, time, network and radio type, a column for each value: a file's chunk has as many sums as
 * records, and objects would cost more than the sums. The owner is a SIM or an organisation, time a count of hours or
 * days since 1970.
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
  /** Open addressing, at most half full: a sum's place + 1, or 0. */
  #slots: Int32Array;
  #last = -1;

  /** `capacity` is a power of two, and doubled as often as it is needed. */
  constructor(capacity = 4096) {
    this.owner = new Float64Array(capacity);
    this.time = new Int32Array(capacity);
    this.plmn = new Int32Array(capacity);
    this.radio = new Uint8Array(capacity);
    this.up = new Float64Array(capacity);
    this.down = new Float64Array(capacity);
    this.records = new Int32Array(capacity);
    this.#slots = new Int32Array(2 * capacity);
  }

  /** Called for each record, so its arguments are no object. @returns the place of the sum, to be added to */
  placeOf(owner: number, time: number, plmn: number, radio: number): number {
    const last = this.#last;
    if (last >= 0 && this.#is(last, owner, time, plmn, radio)) return last;
    const mask = this.#slots.length - 1;
    let slot = hashOf(owner, time, plmn, radio) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1;
      if (place < 0) break;
      if (this.#is(place, owner, time, plmn, radio)) {
        this.#last = place;
        return place;
      }
    }
    const place = this.length;
    if (place === this.owner.length) {
      this.#grow();
      return this.placeOf(owner, time, plmn, radio);
    }
    this.#slots[slot] = place + 1;
    this.owner[place] = owner;
    this.time[place] = time;
    this.plmn[place] = plmn;
    this.radio[place] = radio;
    this.length += 1;
    this.#last = place;
    return place;
  }

  add(place: number, up: number, down: number, records: number): void {
    this.up[place] = (this.up[place] as number) + up;
    this.down[place] = (this.down[place] as number) + down;
    this.records[place] = (this.records[place] as number) + records;
  }

  /** Places in the order of the tables' keys: concurrent writers lock alike. */
  inOrder(): number[] {
    const places = Array.from({ length: this.length }, (_, place) => place);
    // Near order as they mostly are, a sort of an array costs little.
    return places.sort((a, b) => this.#compare(a, b));
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
    this.#slots = new Int32Array(2 * length);
    const mask = this.#slots.length - 1;
    for (let place = 0; place < this.length; place += 1) {
      const { owner, time, plmn } = this;
      let slot =
        hashOf(owner[place] as number, time[place] as number, plmn[place] as number, radio[place] as number) &
        mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = place + 1;
    }
  }
}

const hashOf = (owner: number, time: number, plmn: number, radio: number): number => {
  let hash = Math.imul(owner | 0, 0x9e3779b1) ^ Math.imul(time, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15) ^ plmn, 0xc2b2ae3d) ^ Math.imul(radio, 0x27d4eb2f);
  return hash ^ (hash >>> 13);
};
