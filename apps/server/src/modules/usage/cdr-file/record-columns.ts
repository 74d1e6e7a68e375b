import { growColumn } from '../grow-column.ts';

const initialCapacity = 16_384;

/**
 * Records of a chunk in columns, one for each value, instead of an object per record, which would have to be
 * allocated and collected one by one. Times are milliseconds.
 */
export class RecordColumns {
  length = 0;
  /** Line number in the file. */
  line: Float64Array;
  /** Number of the identifier. */
  identifier: Int32Array;
  key: Float64Array;
  /** Key of the session; -1 for none. */
  session: Float64Array;
  startedAt: Float64Array;
  endedAt: Float64Array;
  up: Float64Array;
  down: Float64Array;
  plmn: Int32Array;
  radio: Uint8Array;
  /** Numbers of texts; -1 for none. */
  apn: Int32Array;
  cell: Int32Array;
  /** Cumulative volume of the session, if any record has one; NaN for none. */
  totals: { up: Float64Array; down: Float64Array } | undefined;

  /** @param capacity expected number of records; it grows beyond that */
  constructor(capacity = initialCapacity) {
    this.line = new Float64Array(capacity);
    this.identifier = new Int32Array(capacity);
    this.key = new Float64Array(capacity);
    this.session = new Float64Array(capacity);
    this.startedAt = new Float64Array(capacity);
    this.endedAt = new Float64Array(capacity);
    this.up = new Float64Array(capacity);
    this.down = new Float64Array(capacity);
    this.plmn = new Int32Array(capacity);
    this.radio = new Uint8Array(capacity);
    this.apn = new Int32Array(capacity);
    this.cell = new Int32Array(capacity);
  }

  /** Number of records that fit without growing. */
  get capacity(): number {
    return this.line.length;
  }

  /** The same records, whose volumes can be changed separately. */
  withVolumes(): RecordColumns {
    const copy = Object.assign(new RecordColumns(0), this);
    copy.up = this.up.slice();
    copy.down = this.down.slice();
    return copy;
  }

  setTotal(position: number, { up, down }: { up: number; down: number }): void {
    this.totals ??= {
      up: new Float64Array(this.capacity).fill(Number.NaN),
      down: new Float64Array(this.capacity).fill(Number.NaN),
    };
    this.totals.up[position] = up;
    this.totals.down[position] = down;
  }

  /** @returns the position of a new record, to be filled in */
  add(): number {
    if (this.length === this.line.length) this.#grow();
    this.length += 1;
    return this.length - 1;
  }

  #grow(): void {
    this.radio = growColumn(this.radio);
    this.line = growColumn(this.line);
    this.key = growColumn(this.key);
    this.session = growColumn(this.session);
    this.startedAt = growColumn(this.startedAt);
    this.endedAt = growColumn(this.endedAt);
    this.up = growColumn(this.up);
    this.down = growColumn(this.down);
    this.identifier = growColumn(this.identifier);
    this.plmn = growColumn(this.plmn);
    this.apn = growColumn(this.apn);
    this.cell = growColumn(this.cell);
    if (!this.totals) return;
    const { up, down } = this.totals;
    this.totals = {
      up: growColumn(up).fill(Number.NaN, up.length),
      down: growColumn(down).fill(Number.NaN, down.length),
    };
  }
}
