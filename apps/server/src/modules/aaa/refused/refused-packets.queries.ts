import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import type { HeardPackets } from '../heard-packets.ts';

export interface RefusedPacketKind {
  address: string;
  /** From a closed set, never text from a packet. */
  reason: string;
}
type RefusedPackets = RefusedPacketKind & HeardPackets;

/** Maximum number of rows; beyond it, those heard longest ago are dropped. */
export const maxRefusedPackets = 1_000;
const retentionDays = 30;

export const addRefusedPackets = async (sql: Sql, refused: readonly RefusedPackets[]): Promise<void> => {
  // In the order of the key, so that concurrent processes can't deadlock.
  await sql.query(
    `insert into radius_refused_packets as known (address, reason, packets, first_at, last_at)
     select address, reason, packets, first_at, last_at
     from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
       as heard (address, reason, packets, first_at, last_at)
     order by address, reason
     on conflict (address, reason) do update set packets = known.packets + excluded.packets,
       first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)`,
    [
      refused.map((row) => row.address),
      refused.map((row) => row.reason),
      refused.map((row) => row.packets),
      refused.map((row) => row.firstAt),
      refused.map((row) => row.lastAt),
    ],
  );
  await sql.query(
    `delete from radius_refused_packets where (address, reason) in (
       select address, reason from radius_refused_packets order by last_at desc, address, reason offset $1)`,
    [maxRefusedPackets],
  );
};

/** Latest first. */
export const listRefusedPackets = async (sql: Sql): Promise<RefusedPackets[]> =>
  (
    await sql.query<RefusedPackets>(
      `select address, reason, packets, first_at as "firstAt", last_at as "lastAt" from radius_refused_packets
       order by last_at desc, address, reason limit $1`,
      [maxRefusedPackets],
    )
  ).rows;

export const trimRefusedPackets = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query('delete from radius_refused_packets where last_at < $1', [
    new Date(now.getTime() - retentionDays * dayMs),
  ]);
};
