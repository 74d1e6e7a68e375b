import type { Sql } from './pool.ts';

/** What is noted of the installation itself under the keys; those that are not noted are missing. */
export const readInstallation = async (sql: Sql, keys: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql.query<{ key: string; value: string }>(
    'select key, value from installation where key = any($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
};

/** Notes values under their keys, over those that are there. */
export const writeInstallation = async (tx: Sql, values: Readonly<Record<string, string>>): Promise<void> => {
  await tx.query(
    `insert into installation (key, value) select * from unnest($1::text[], $2::text[])
     on conflict (key) do update set value = excluded.value, set_at = now()`,
    [Object.keys(values), Object.values(values)],
  );
};

/** Notes a value for good unless there is one. @returns the one that is noted */
export const noteInstallation = async (sql: Sql, key: string, value: string): Promise<string> => {
  const noted = async () => (await readInstallation(sql, [key])).get(key);
  // A database that is read-only answers what is noted.
  const before = await noted();
  if (before !== undefined) return before;
  await sql.query('insert into installation (key, value) values ($1, $2) on conflict do nothing', [
    key,
    value,
  ]);
  return (await noted()) ?? value;
};
