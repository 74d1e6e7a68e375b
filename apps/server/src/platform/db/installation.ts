import type { Sql } from './pool.ts';

/** Values stored about the installation itself, by key; missing keys are left out. */
export const readInstallation = async (sql: Sql, keys: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql.query<{ key: string; value: string }>(
    'select key, value from installation where key = any($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
};

/** Stores values under their keys, replacing existing ones. */
export const writeInstallation = async (tx: Sql, values: Readonly<Record<string, string>>): Promise<void> => {
  await tx.query(
    `insert into installation (key, value) select * from unnest($1::text[], $2::text[])
     on conflict (key) do update set value = excluded.value, set_at = now()`,
    [Object.keys(values), Object.values(values)],
  );
};

/**
 * Stores a value permanently unless the key already has one.
 * @returns the stored value
 */
export const writeInstallationOnce = async (sql: Sql, key: string, value: string): Promise<string> => {
  const readStored = async () => (await readInstallation(sql, [key])).get(key);
  // A read-only database can still return the stored value.
  const existing = await readStored();
  if (existing !== undefined) return existing;
  await sql.query('insert into installation (key, value) values ($1, $2) on conflict do nothing', [
    key,
    value,
  ]);
  return (await readStored()) ?? value;
};
