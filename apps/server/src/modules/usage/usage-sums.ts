import { growColumn } from './grow-column.ts';

const defaultCapacity = 4096;
/** Maximum number of sums of one owner and time that are searched linearly. */
const maxRunLength = 16;

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
  constructor(capacity = defaultCapacity) {
    const size = Math.max(capacity, 1);
    this.owner = new Float64Array(size);
    this.time = new Int32Array(size);
    this.plmn = new Int32Array(size);
    this.radio = new Uint8Array(size);
    this.up = new Float64Array(size);
    this.down = new Float64Array(size);
    this.records = new Int32Array(size);
  }

  /** Called for each record, so its arguments are not an object. @returns the position of the sum to add to */
  positionOf(owner: number, time: number, plmn: number, radio: number): number {
    const last = this.#last;
    if (last >= 0 && this.#is(last, owner, time, plmn, radio)) return last;
    const position = this.#slots
      ? this.#positionInTable(this.#slots, owner, time, plmn, radio)
      : this.#positionInOrder(owner, time, plmn, radio);
    this.#last = position;
    return position;
  }

  add(position: number, up: number, down: number, records: number): void {
    this.up[position] = (this.up[position] as number) + up;
    this.down[position] = (this.down[position] as number) + down;
    this.records[position] = (this.records[position] as number) + records;
  }

  /** Positions in the order of the tables' keys, so that concurrent writers lock in the same order. */
  sortedPositions(): Int32Array {
    const positions = new Int32Array(this.length);
    let isOrdered = true;
    for (let position = 0; position < positions.length; position += 1) {
      positions[position] = position;
      if (position > 0 && this.#compare(position - 1, position) > 0) isOrdered = false;
    }
    return isOrdered ? positions : positions.sort((a, b) => this.#compare(a, b));
  }

  #positionInOrder(owner: number, time: number, plmn: number, radio: number): number {
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
    if (isSame && this.length - this.#run <= maxRunLength) {
      for (let position = this.#run; position < this.length; position += 1) {
        if (this.plmn[position] === plmn && this.radio[position] === radio) return position;
      }
      return this.#append(owner, time, plmn, radio);
    }
    this.#slots = this.#table();
    return this.#positionInTable(this.#slots, owner, time, plmn, radio);
  }

  #positionInTable(slots: Int32Array, owner: number, time: number, plmn: number, radio: number): number {
    const mask = slots.length - 1;
    let slot = hashOf(owner, time, plmn, radio) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const position = (slots[slot] as number) - 1;
      if (position < 0) break;
      if (this.#is(position, owner, time, plmn, radio)) return position;
    }
    const position = this.#append(owner, time, plmn, radio);
    slots[slot] = position + 1;
    if (2 * this.length > slots.length) this.#slots = this.#table();
    return position;
  }

  #append(owner: number, time: number, plmn: number, radio: number): number {
    const position = this.length;
    if (position === this.owner.length) this.#grow();
    this.owner[position] = owner;
    this.time[position] = time;
    this.plmn[position] = plmn;
    this.radio[position] = radio;
    this.length += 1;
    return position;
  }

  #is(position: number, owner: number, time: number, plmn: number, radio: number): boolean {
    return (
      this.time[position] === time &&
      this.owner[position] === owner &&
      this.plmn[position] === plmn &&
      this.radio[position] === radio
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
    for (let position = 0; position < this.length; position += 1) {
      const hash = hashOf(
        owner[position] as number,
        time[position] as number,
        plmn[position] as number,
        radio[position] as number,
      );
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = position + 1;
    }
    return slots;
  }

  #grow(): void {
    this.radio = growColumn(this.radio);
    this.owner = growColumn(this.owner);
    this.up = growColumn(this.up);
    this.down = growColumn(this.down);
    this.time = growColumn(this.time);
    this.plmn = growColumn(this.plmn);
    this.records = growColumn(this.records);
  }
}

const hashOf = (owner: number, time: number, plmn: number, radio: number): number => {
  let hash = Math.imul(owner | 0, 0x9e3779b1) ^ Math.imul(time, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15) ^ plmn, 0xc2b2ae3d) ^ Math.imul(radio, 0x27d4eb2f);
  return hash ^ (hash >>> 13);
};
