import type { ResetCycle } from '@simcube/contract/bundle';
import type pg from 'pg';
import type { RecordColumns } from './record-columns.ts';

/** A refused line, and the reason. */
export interface Refusal {
  line: number;
  reason: string;
}

/** Lets a higher module count stored records; the rows of their SIMs are locked. Times are milliseconds. */
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

/** Records ready to be stored. */
export interface Chunk {
  columns: RecordColumns;
  texts: readonly Buffer[];
  /** The SIM of each record: a position in `sims`. */
  owners: Int32Array;
  sims: readonly ResolvedSim[];
  /** Positions of the records to be stored, in the order of the store's key. */
  order: Int32Array;
  refusals: Refusal[];
  /** Number of records that occur twice within the chunk. */
  repeated: number;
}
