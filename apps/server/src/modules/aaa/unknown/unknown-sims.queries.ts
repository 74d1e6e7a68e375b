import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import type { HeardPackets } from '../heard-packets.ts';

export interface UnknownSim {
  /** As returned by `identityOf`: `imsi:…` or `any:…`; empty if the packet named none. */
  identity: string;
  /** Name of the RADIUS client. */
  gateway: string;
  /** From a closed set: the kind of packet, and why it belongs to no SIM. */
  reason: string;
}
type HeardUnknownSim = UnknownSim & HeardPackets;

/** Maximum number of rows; beyond it, those heard longest ago are dropped. */
export const maxUnknownSims = 1_000;
const retentionDays = 30;

export const addUnknownSims = async (sql: Sql, heard: readonly HeardUnknownSim[]): Promise<void> => {
  // In the order of the key, so that concurrent processes can't deadlock.
  await sql.query(
    `insert into radius_unknown_sims as known (identity, gateway, reason, packets, first_at, last_at)
     select identity, gateway, reason, packets, first_at, last_at
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
       as heard (identity, gateway, reason, packets, first_at, last_at)
     order by identity, gateway, reason
     on conflict (identity, gateway, reason) do update set packets = known.packets + excluded.packets,
       first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)`,
    [
      heard.map((row) => row.identity),
      heard.map((row) => row.gateway),
      heard.map((row) => row.reason),
      heard.map((row) => row.packets),
      heard.map((row) => row.firstAt),
      heard.map((row) => row.lastAt),
    ],
  );
  await sql.query(
    `delete from radius_unknown_sims where (identity, gateway, reason) in (
       select identity, gateway, reason from radius_unknown_sims
       order by last_at desc, identity, gateway, reason offset $1)`,
    [maxUnknownSims],
  );
};

/** Latest first. */
export const listUnknownSims = async (sql: Sql): Promise<HeardUnknownSim[]> =>
  (
    await sql.query<HeardUnknownSim>(
      `select identity, gateway, reason, packets, first_at as "firstAt", last_at as "lastAt" from radius_unknown_sims
       order by last_at desc, identity, gateway, reason limit $1`,
      [maxUnknownSims],
    )
  ).rows;

export const trimUnknownSims = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query('delete from radius_unknown_sims where last_at < $1', [
    new Date(now.getTime() - retentionDays * dayMs),
  ]);
};
