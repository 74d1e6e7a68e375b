/**
 * What nodes of a Citus cluster said of a row that was copied to them comes without its SQLSTATE: as an internal error with
 * the node's words.
 */
const relayed = 'XX000';
const words: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/^no partition of relation/, '23514'],
  [/^deadlock detected/, '40P01'],
];

/** The SQLSTATE of an error of the database, also of one that a node of a cluster met. */
export const sqlStateOf = (error: unknown): string | undefined => {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== relayed) return code;
  return words.find(([said]) => said.test(message))?.[1] ?? code;
};

/** The unique key that a row is in already. On a node, names of keys end with the number of the shard. */
export const uniqueKeyOf = (error: unknown): string | undefined => {
  if (sqlStateOf(error) !== '23505') return undefined;
  const { constraint, message = '' } = error as { constraint?: string; message?: string };
  return constraint ?? /unique constraint "([^"]+)"/.exec(message)?.[1];
};
