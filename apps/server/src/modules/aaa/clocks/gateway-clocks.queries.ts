import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';

/** The clock of a gateway, as its reports show it. */
export interface GatewayClock {
  /** Name of the RADIUS client. */
  gateway: string;
  /** The gateway's own name: there may be several behind a client. */
  nas: string;
  /** Time between an event and its receipt, of the report that was fastest; negative if the clock is ahead. */
  lagMs: number;
  measuredAt: Date;
}

/** Maximum number of gateways measured. */
export const maxClocks = 1_000;
/** A clock that was set meanwhile shows after this time. */
const validForMs = hourMs;

/** Keeps the smallest lag of the last hour of each gateway. */
export const recordClocks = async (sql: Sql, clocks: readonly GatewayClock[], now: Date): Promise<void> => {
  const oldest = new Date(now.getTime() - validForMs);
  // In the order of the key, so that concurrent processes can't deadlock.
  await sql.query(
    `insert into radius_clocks as known (gateway, nas, lag_ms, measured_at)
     select gateway, nas, lag_ms, measured_at
     from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) as measured (gateway, nas, lag_ms, measured_at)
     order by gateway, nas
     on conflict (gateway, nas) do update set lag_ms = excluded.lag_ms, measured_at = excluded.measured_at
       where excluded.lag_ms <= known.lag_ms or known.measured_at < $5`,
    [
      clocks.map((row) => row.gateway),
      clocks.map((row) => row.nas),
      clocks.map((row) => row.lagMs),
      clocks.map((row) => row.measuredAt),
      oldest,
    ],
  );
  await sql.query('delete from radius_clocks where measured_at < $1', [oldest]);
};

/** The clocks of the last hour, the one that is furthest from the time first. */
export const listClocks = async (sql: Sql, now: Date): Promise<GatewayClock[]> =>
  (
    await sql.query<GatewayClock>(
      `select gateway, nas, lag_ms as "lagMs", measured_at as "measuredAt" from radius_clocks
       where measured_at >= $1 order by abs(lag_ms) desc, gateway, nas limit $2`,
      [new Date(now.getTime() - validForMs), maxClocks],
    )
  ).rows;
