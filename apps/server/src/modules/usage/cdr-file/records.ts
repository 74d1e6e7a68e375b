import type { ResetCycle } from '@simcube/contract/bundle';
import type pg from 'pg';
import type { RecordColumns } from './record-columns.ts';

/** A line that was not taken, and why. */
export interface Refusal {
  line: number;
  reason: string;
}

/** What a module above adds up of stored records; the rows of their SIMs are locked. Times are milliseconds. */
export type CountRecords = (
  tx: pg.PoolClient,
  records: readonly { simId: number; at: number; up: number; down: number }[],
) => Promise<void>;

export interface ResolvedSim {
  simId: number;
  orgId: number;
  resetCycle: ResetCycle | null;
  activatedAt: number | null;
}

/** Records ready for the store. */
export interface Chunk {
  columns: RecordColumns;
  texts: readonly Buffer[];
  /** Whose each record is: a place in `sims`. */
  owners: Int32Array;
  sims: readonly ResolvedSim[];
  /** Places of the records to be stored, in the order of the store's key. */
  order: Int32Array;
  refusals: Refusal[];
  /** Records that stand twice within the chunk. */
  repeated: number;
}
