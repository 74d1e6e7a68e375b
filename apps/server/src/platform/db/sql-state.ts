/**
 * Errors of a Citus node for a copied row lose their SQLSTATE: the coordinator reports an internal error with
 * the node's message.
 */
const relayed = 'XX000';
const relayedErrors: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/^no partition of relation/, '23514'],
  [/^deadlock detected/, '40P01'],
];

/** The SQLSTATE of a database error, including one relayed from a cluster's node. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== relayed) return code;
  return relayedErrors.find(([pattern]) => pattern.test(message))?.[1] ?? code;
};

/** The unique key that a row violates. On a node, key names end with the number of the shard. */
export const uniqueKeyOf = (error: unknown): string | undefined => {
  if (sqlStateOf(error) !== '23505') return undefined;
  const { constraint, message = '' } = error as { constraint?: string; message?: string };
  return constraint ?? /unique constraint "([^"]+)"/.exec(message)?.[1];
};
