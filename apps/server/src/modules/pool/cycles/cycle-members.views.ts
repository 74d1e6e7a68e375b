import { limits } from '@simcube/contract';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';

interface MemberRow {
  iccid: string;
  device_name: string | null;
  used_bytes: number;
  own_bytes: number;
}

interface CycleScope {
  /** Id of the pool. */
  id: number;
  /** The pool's organisation: device names of SIMs that now belong to another one are not shown. */
  orgId: number;
  startedAt: Date;
  endsAt: Date;
}

/** An empty cycle, for queries without a pool. */
export const noCycle: CycleScope = { id: 0, orgId: 0, startedAt: new Date(0), endsAt: new Date(0) };

/** Everyone who was a member in a cycle, with usage and contribution; members who left remain in it to its end. */
const membersOf = ({ id, orgId, startedAt, endsAt }: CycleScope) => sql`(
  select s.iccid, case when s.org_id = ${orgId} then s.device_name end as device_name, coalesce(u.used_bytes, 0) as used_bytes,
    coalesce(t.bytes, 0)::bigint as own_bytes
  from (
    select distinct sim_id from pool_members
    where pool_id = ${id} and activated_at < ${endsAt}::timestamptz
      and coalesce(left_at, 'infinity') > ${startedAt}::timestamptz) as m
  join sims s on s.id = m.sim_id
  left join pool_usage u on u.pool_id = ${id} and u.cycle_started_at = ${startedAt}::timestamptz and u.sim_id = m.sim_id
  left join lateral (
    select sum(bytes) as bytes from pool_terms t where t.pool_id = ${id} and t.sim_id = m.sim_id
      and t.from_at <= ${startedAt}::timestamptz and coalesce(t.until_at, 'infinity') > ${startedAt}::timestamptz) as t on true
  ) as members`;

/** The members of a pool in one of its cycles. */
export const cycleMemberList: List<
  CycleScope,
  { search?: string | undefined },
  MemberRow,
  MemberRow,
  'used_bytes' | 'iccid'
> = {
  name: 'pool.cycle-members',
  tables: [{ name: 'members', from: ({ scope }) => membersOf(scope) }],
  key: { column: 'iccid', type: 'text' },
  sorts: {
    used_bytes: { column: 'used_bytes', type: 'integer' },
    iccid: { column: 'iccid', type: 'text' },
  },
  order: '-used_bytes',
  filters: { search: (part) => sql`strpos(upper(iccid), upper(${part})) > 0` },
  countLimit: limits.countedTotal,
  select: sql`iccid, device_name, used_bytes, own_bytes`,
  show: (rows) => [...rows],
};
