const capacityFirst = 16_384;

/**
 * Records of a chunk, a column for each value instead of an object for each record: neither made nor collected one
 * by one. Times are milliseconds.
 */
export class RecordColumns {
  length = 0;
  /** Line of the file. */
  line = new Float64Array(capacityFirst);
  /** Number of the identifier. */
  who = new Int32Array(capacityFirst);
  key = new Float64Array(capacityFirst);
  startedAt = new Float64Array(capacityFirst);
  endedAt = new Float64Array(capacityFirst);
  up = new Float64Array(capacityFirst);
  down = new Float64Array(capacityFirst);
  plmn = new Int32Array(capacityFirst);
  radio = new Uint8Array(capacityFirst);
  /** Numbers of texts; -1 for none. */
  apn = new Int32Array(capacityFirst);
  cell = new Int32Array(capacityFirst);

  /** @returns the place of a new record, to be filled */
  add(): number {
    if (this.length === this.line.length) this.#grow();
    this.length += 1;
    return this.length - 1;
  }

  #grow(): void {
    const length = 2 * this.line.length;
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
    this.line = wide(this.line);
    this.key = wide(this.key);
    this.startedAt = wide(this.startedAt);
    this.endedAt = wide(this.endedAt);
    this.up = wide(this.up);
    this.down = wide(this.down);
    this.who = narrow(this.who);
    this.plmn = narrow(this.plmn);
    this.apn = narrow(this.apn);
    this.cell = narrow(this.cell);
  }
}
