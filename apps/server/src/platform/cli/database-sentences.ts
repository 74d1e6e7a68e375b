import type pg from 'pg';

/** The rows of a table, as people call them. */
const entityNames: Readonly<Record<string, string>> = {
  radius_clients: 'gateway',
  users: 'person',
  organisations: 'organisation',
  memberships: 'account',
  bundles: 'bundle',
  bundle_orders: 'order',
  sims: 'SIM',
  cells: 'cell',
};

/** Also when the embedded database is stopped or crashes. */
export const databaseStopped =
  'The database was stopped while the command ran, for example by an administrator or by the system. Try again.';

const sentences: Readonly<Record<string, string>> = {
  '22001': 'A text is too long to be stored.',
  '22003': 'A number is out of range.',
  '22007': 'A date or time is not valid.',
  '22008': 'A date or time is out of range.',
  '22021': 'A text contains characters that cannot be stored.',
  '22P05': 'A text contains characters that cannot be stored.',
  '25006': 'The database is read-only at the moment.',
  '40001': 'The same data was changed concurrently, so nothing was changed. Try again.',
  '40P01': 'The same data was changed concurrently, so nothing was changed. Try again.',
  '53300': 'The database has no free connections. Try again, or raise its max_connections.',
  '55P03': 'The same data is being changed by another transaction. Try again.',
  '57014': 'The database took too long and cancelled the statement.',
  '57P01': databaseStopped,
  '57P02': 'The database stopped while the command ran.',
  '57P03': 'The database is starting or stopping. Try again.',
  '28P01': 'The database rejects the user or password of DATABASE_URL.',
  '28000': 'The database rejects the user of DATABASE_URL.',
  '3D000': 'The database named by DATABASE_URL does not exist.',
};

/** An error of the database in words, without its names of constraints. */
export const databaseSentence = (error: pg.DatabaseError): string => {
  const { code = '', table = '', column, message } = error;
  const entity = entityNames[table] ?? 'entry';
  const value = keyOf(error);
  switch (code) {
    case '23505':
      return `Another ${entity} with ${value ?? 'the same value'} already exists.`;
    case '23503':
      return `The ${entity} refers to something that does not exist, or is still referenced${value ? ` (${value})` : ''}.`;
    case '23502':
      return `The ${entity} lacks ${column ?? 'a value'}.`;
    case '23514':
      return `A value of the ${entity} is not allowed.`;
    case '22P02':
      return 'A value is not of the expected type.';
    case '42501':
      return `The database role lacks a right (${message}). docs/operations.md lists the rights it needs.`;
  }
  const sentence = sentences[code];
  return sentence ?? `The database reported an error: ${message} (SQLSTATE ${code}).`;
};

/** `Key (network)=(192.0.2.0/28) already exists.` → `network 192.0.2.0/28`. */
const keyOf = ({ detail }: pg.DatabaseError): string | undefined => {
  const [, columns, values] = /^Key \((.+?)\)=\((.*?)\)/s.exec(detail ?? '') ?? [];
  if (columns === undefined || values === undefined) return undefined;
  return `${columns.replaceAll(/lower\((\w+)\)|::\w+/g, '$1').replaceAll('_', ' ')} ${values}`;
};
