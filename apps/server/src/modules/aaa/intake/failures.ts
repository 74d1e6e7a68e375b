import { sqlStateOf, uniqueKeyOf } from '../../../platform/db/index.ts';
import { TwoStates } from './changes.ts';

/** What to do about an error of the database while storing a batch. */
export type FailureKind = 'conflict' | 'partition' | 'data' | 'connection';

/**
 * expect_rows, unique violation, serialization failure, deadlock, lock timeout: another transaction was first. A prepared
 * statement that does not exist: the batch before, which was to prepare it, failed.
 */
const conflicts = new Set(['SC001', '23505', '40001', '40P01', '55P03', '26000']);

/**
 * Classes 22 (data) and 23 (integrity) are the record's own fault; everything else, a connection that broke above
 * all, is not, and the batch waits for better times.
 */
export const kindOfFailure = (error: unknown): FailureKind => {
  const code = sqlStateOf(error) ?? '';
  const { message = '' } = error as { message?: string };
  if (conflicts.has(code) || error instanceof TwoStates) return 'conflict';
  if (code === '23514' && message.startsWith('no partition')) return 'partition';
  // Raised here, before anything was sent: a value that does not fit its column.
  if (error instanceof TypeError || error instanceof RangeError) return 'data';
  if (/^2[23]/.test(code)) return 'data';
  return 'connection';
};

/** A record is there already: an import was first, or another intake. */
export const isDoubledRecord = (error: unknown): boolean => uniqueKeyOf(error)?.startsWith('cdrs_') ?? false;
