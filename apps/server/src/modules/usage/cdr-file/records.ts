import type { ResetCycle } from '@simcube/contract/bundle';
import type pg from 'pg';
import type { Volume } from '../usage.rules.ts';
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

/** A record with its session's cumulative volume at the end of the record. Times are milliseconds. */
export interface SessionRecord extends Volume {
  simId: number;
  sessionKey: number;
  endedAt: number;
  total: Volume;
}

/** What was counted of sessions by accounting and earlier files; implemented by `aaa`. */
export interface SessionCounts {
  /** Locks the records' sessions; to be called before their SIMs are locked, because intake locks them in this order. */
  lock(tx: pg.PoolClient, records: readonly SessionRecord[]): Promise<void>;
  /**
   * Returns what each record adds, and notes it for the next report on its session. Records of a session are in order of
   * their ends; the rows of their SIMs are locked.
   */
  count(tx: pg.PoolClient, records: readonly SessionRecord[]): Promise<Volume[]>;
}

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
