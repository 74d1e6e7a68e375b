import { addToPools } from '../modules/pool/index.ts';
import { importCdrs } from '../modules/usage/index.ts';
import type { TestApp } from './app.ts';
import { sourceOf } from './usage-records.ts';

/** A row of a file of records; its columns are those of `simcube cdrs import`. */
export interface FileRecord {
  iccid: string;
  ended_at: string;
  started_at?: string;
  up_bytes?: number;
  down_bytes?: number;
  session_id?: string;
  record_id?: string;
  mcc?: string;
  mnc?: string;
  rat?: string;
  apn?: string;
  cell?: string;
}

const columns = [
  'iccid',
  'ended_at',
  'started_at',
  'up_bytes',
  'down_bytes',
  'session_id',
  'record_id',
  'mcc',
  'mnc',
  'rat',
  'apn',
  'cell',
] as const;

/** Counts records imported from a file. */
export const importRecords = async (
  { database, clock }: Pick<TestApp, 'database' | 'clock'>,
  records: readonly FileRecord[],
) => {
  const lines = records.map((record) => {
    const complete = { up_bytes: 1, down_bytes: 2, ...record };
    return columns.map((column) => complete[column] ?? '').join(',');
  });
  const source = sourceOf([columns.join(','), ...lines].join('\n'));
  return importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
};
