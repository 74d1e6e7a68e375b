import { type ClientBase, DatabaseError } from 'pg';

/** Why the database can't serve: it does not respond, rejects connections, or is read-only. */
export type DatabaseTrouble = 'away' | 'read-only';

const readOnlyTransaction = '25006';

/** A session in which nothing can be written: of a standby, or of a database that was set to read-only. */
class ReadOnlySession extends Error {
  override readonly name = 'ReadOnlySession';
  override readonly message = 'The database is read-only';
  readonly code = readOnlyTransaction;
}

/**
 * A session keeps the mode that its database had when it began, so one that began read-only would stay so when that is
 * over: it is refused at once.
 * @throws ReadOnlySession
 */
export const refuseReadOnly = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlySession();
};

/**
 * SQLSTATE classes 08 (connection), 28 and 3D (connections rejected), 53 (resources), 57P (shut down), 58 (the system's own
 * errors), the system's codes of a peer that can't be reached, and the driver's own time-outs.
 */
const awayCodes =
  /^(08|28|3D|53|57P|58|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)/;
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error/;
/** What the coordinator of a cluster says, as an internal error, when it lost a node in the middle of a statement. */
const lostNode = /failure on connection marked as essential|server closed the connection unexpectedly/;

/** What an error of a statement says about the database; nothing when it is the statement's own. */
export const troubleOf = (error: unknown): DatabaseTrouble | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, severity } = error as { code?: unknown; message?: unknown; severity?: unknown };
  if (code === readOnlyTransaction) return 'read-only';
  // FATAL ends the session: it is never about the statement.
  if (severity === 'FATAL' || severity === 'PANIC') return 'away';
  if (typeof code === 'string' && awayCodes.test(code)) return 'away';
  if (typeof message !== 'string') return undefined;
  return awayMessages.test(message) || lostNode.test(message) ? 'away' : undefined;
};

/** Whether a statement failed as the database, or a node of its cluster, could not be reached: the server itself said so. */
export const isAnswerOfAway = (error: unknown): boolean =>
  error instanceof DatabaseError && troubleOf(error) === 'away';
