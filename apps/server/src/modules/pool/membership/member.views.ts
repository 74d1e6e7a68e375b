import { limits } from '@simcube/contract';
import type { PoolMember, poolMemberStates } from '@simcube/contract/pool';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';
import { lifecycleOf } from '../../sim/index.ts';

interface MemberRow {
  iccid: string;
  device_name: string | null;
  lifecycle: number;
  enrolled_at: Date;
  activated_at: Date | null;
  used_bytes: number;
  own_bytes: number;
  is_stopped: boolean;
}

export interface MemberScope {
  poolId: number;
  /** Start of the cycle, ISO 8601. */
  cycleStart: string;
}

/** Members of a pool with their usage in a cycle and their contribution to it. */
const membersOf = ({ poolId, cycleStart }: MemberScope, now: Date) => sql`(
  select s.iccid, s.device_name, s.lifecycle, m.enrolled_at, m.activated_at, coalesce(u.used_bytes, 0) as used_bytes,
    coalesce(t.bytes, 0)::bigint as own_bytes, coalesce(l.pool_stopped_until > ${now}, false) as is_stopped
  from pool_members m join sims s on s.id = m.sim_id join sim_live l on l.sim_id = s.id
  left join pool_usage u on u.pool_id = m.pool_id and u.cycle_started_at = ${cycleStart}::timestamptz and u.sim_id = m.sim_id
  left join lateral (
    select sum(bytes) as bytes from pool_terms t where t.pool_id = m.pool_id and t.sim_id = m.sim_id
      and t.from_at <= ${cycleStart}::timestamptz and coalesce(t.until_at, 'infinity') > ${cycleStart}::timestamptz) as t on true
  where m.pool_id = ${poolId} and m.left_at is null) as members`;

const columns = sql`iccid, device_name, lifecycle, enrolled_at, activated_at, used_bytes, own_bytes, is_stopped`;

const toPoolMember = (row: MemberRow): Omit<PoolMember, 'cost'> => ({
  iccid: row.iccid,
  device_name: row.device_name,
  lifecycle: lifecycleOf(row.lifecycle),
  enrolled_at: row.enrolled_at.toISOString(),
  activated_at: row.activated_at?.toISOString() ?? null,
  used_bytes: row.used_bytes,
  own_bytes: row.own_bytes,
  above_bytes: Math.max(0, row.used_bytes - row.own_bytes),
  stopped: row.is_stopped,
});

export const memberList: List<
  MemberScope,
  { search?: string | undefined; state?: (typeof poolMemberStates)[number] | undefined },
  MemberRow,
  Omit<PoolMember, 'cost'>,
  'iccid' | 'used_bytes' | 'enrolled_at'
> = {
  name: 'pool.members',
  tables: [{ name: 'members', from: ({ scope, now }) => membersOf(scope, now) }],
  key: { column: 'iccid', type: 'text' },
  sorts: {
    iccid: { column: 'iccid', type: 'text' },
    used_bytes: { column: 'used_bytes', type: 'integer' },
    enrolled_at: { column: 'enrolled_at', type: 'instant' },
  },
  order: '-used_bytes',
  filters: {
    search: (part) => sql`strpos(upper(iccid), upper(${part})) > 0`,
    state: (state) =>
      state === 'stopped' ? sql`is_stopped` : sql`used_bytes > own_bytes and activated_at is not null`,
  },
  countLimit: limits.countedTotal,
  select: columns,
  show: (rows) => rows.map(toPoolMember),
};
