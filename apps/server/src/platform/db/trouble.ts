import { type ClientBase, DatabaseError } from 'pg';

/** Why the database can't serve: it does not respond, rejects connections, or is read-only. */
export type DatabaseTrouble = 'away' | 'read-only';

const readOnlyTransaction = '25006';

/** A session that can't write: on a standby, or in a database that was set to read-only. */
class ReadOnlySession extends Error {
  override readonly name = 'ReadOnlySession';
  override readonly message = 'The database is read-only';
  readonly code = readOnlyTransaction;
}

/**
 * Refuses a read-only session immediately: it would stay read-only after the database becomes writable again,
 * because a session keeps the mode that the database had when it began.
 * @throws ReadOnlySession
 */
export const refuseReadOnly = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlySession();
};

/**
 * SQLSTATE classes 08 (connection), 28 and 3D (connections rejected), 53 (resources), 57P (shut down), 58
 * (system errors), the operating system's codes for an unreachable peer, and the driver's own time-outs.
 */
const awayCodes =
  /^(08|28|3D|53|57P|58|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)/;
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error/;
/** The coordinator's internal error when it lost a node in the middle of a statement. */
const lostNode = /failure on connection marked as essential|server closed the connection unexpectedly/;

/** What a statement's error says about the database; undefined if only the statement is at fault. */
export const troubleOf = (error: unknown): DatabaseTrouble | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, severity } = error as { code?: unknown; message?: unknown; severity?: unknown };
  if (code === readOnlyTransaction) return 'read-only';
  // FATAL ends the session, so it is never about the statement.
  if (severity === 'FATAL' || severity === 'PANIC') return 'away';
  if (typeof code === 'string' && awayCodes.test(code)) return 'away';
  if (typeof message !== 'string') return undefined;
  return awayMessages.test(message) || lostNode.test(message) ? 'away' : undefined;
};

/** A node still lacks the records of a batch. */
export class HistoriesUnwritten extends Error {
  override readonly name = 'HistoriesUnwritten';
  constructor() {
    super('Histories of a batch have not been written to a node of the cluster');
  }
}

/**
 * Whether the work failed because the database, or a node of its cluster, could not be reached: as reported by the
 * server itself, or because a node still lacks the records of a batch.
 */
export const isUnavailableError = (error: unknown): boolean =>
  error instanceof HistoriesUnwritten || (error instanceof DatabaseError && troubleOf(error) === 'away');
