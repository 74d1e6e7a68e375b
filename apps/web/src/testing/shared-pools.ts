import type { Pool, PoolDetail } from '@simcube/contract/pool';

export const GB = 1024 ** 3;

/** A pool in the middle of its cycle, as the server returns it. */
export const poolRow: Pool = {
  id: '7',
  name: 'Trucks Europe',
  bundle: { code: 'EU3GS', name: 'EU 3 GB Shared' },
  base_limit_bytes: 3 * GB,
  sims: 284,
  activated_sims: 275,
  used_bytes: 668 * GB,
  limit_bytes: 835 * GB,
  over: false,
  policy: 'stop overage SIMs',
  opt_in: 'manual',
  activation_rule: 'pro-rata',
  cycle_started_at: '2026-10-31T16:00:00.000Z',
  cycle_ends_at: '2026-11-30T16:00:00.000Z',
};

export const poolDetail: PoolDetail = {
  ...poolRow,
  created_at: '2026-03-12T10:20:00.000Z',
  stopped_sims: 0,
  overage_sims: 61,
  joined_in_cycle: 13,
  left_in_cycle: 2,
  former_members_bytes: 0,
};
