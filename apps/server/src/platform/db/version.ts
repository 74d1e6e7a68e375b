import { UnusableSettings } from '../env/index.ts';
import type { Sql } from './pool.ts';

/** The oldest supported PostgreSQL, as in `server_version_num`. */
export const minimumVersion = 150_000;

/** @throws UnusableSettings if the server is older */
export const requireSupportedVersion = async (sql: Sql): Promise<void> => {
  const { rows } = await sql.query<{ version: number; shown: string }>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as shown`,
  );
  const [server] = rows;
  if (server && server.version < minimumVersion)
    throw new UnusableSettings(
      `PostgreSQL ${server.shown} is too old: SimCube needs 15 or newer (DATABASE_URL)`,
    );
};
