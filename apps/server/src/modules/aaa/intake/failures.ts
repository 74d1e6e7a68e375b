import { sqlStateOf, uniqueKeyOf } from '../../../platform/db/index.ts';
import { ConflictingSimStates } from './changes.ts';

/** How to handle a database error while storing a batch. */
export type FailureKind = 'conflict' | 'partition' | 'data' | 'connection';

/**
 * expect_rows, unique violation, serialization failure, deadlock, lock timeout: another transaction was first.
 * Missing prepared statement: the previous batch, which was to prepare it, failed.
 */
const conflicts = new Set(['SC001', '23505', '40001', '40P01', '55P03', '26000']);

/**
 * Classes 22 (data) and 23 (integrity) are caused by the record itself. Everything else, above all a broken
 * connection, is not, and the batch is retried later.
 */
export const classifyFailure = (error: unknown): FailureKind => {
  const code = sqlStateOf(error) ?? '';
  const { message = '' } = error as { message?: string };
  if (conflicts.has(code) || error instanceof ConflictingSimStates) return 'conflict';
  if (code === '23514' && message.startsWith('no partition')) return 'partition';
  // Raised here before anything was sent: a value does not fit its column.
  if (error instanceof TypeError || error instanceof RangeError) return 'data';
  if (/^2[23]/.test(code)) return 'data';
  return 'connection';
};

/** Whether the record already exists, written by an import or another intake. */
export const isDuplicateRecord = (error: unknown): boolean =>
  uniqueKeyOf(error)?.startsWith('cdrs_') ?? false;
