import { limits } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import type { WebhookHealth } from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';
import type { LogScope } from './log.views.ts';

interface SlotRow {
  from: Date;
  p95_ms: number | null;
  slot: number | null;
  waiting: number;
  delivered: number;
  failed: number;
  first_try: number;
  tried: number;
}

const { healthHours, healthSlots, healthDeliveries } = limits.webhooks;

/** Read in one statement: the newest deliveries in index order, the period that they cover, and its parts. */
const healthStatement = `
  with sent as materialized (
    select d.state, d.attempts, d.fault, d.created_at, a.duration_ms
    from notification_targets t
      cross join lateral (
        select * from deliveries where target_id = t.id and created_at >= $3
        order by created_at desc, id desc limit ${healthDeliveries}) as d
      left join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempts and d.state = 1
    where t.org_id = $1 and t.account_id = $2),
  span as (
    select case when count(*) = ${healthDeliveries} then min(created_at) else $3::timestamptz end as began,
      percentile_disc(0.95) within group (order by duration_ms) as p95_ms
    from sent),
  slots as (
    select least(floor(extract(epoch from s.created_at - span.began)
        / greatest(extract(epoch from $4::timestamptz - span.began), 0.001) * ${healthSlots}), ${healthSlots - 1})::int as slot,
      count(*) filter (where state = 0) as waiting, count(*) filter (where state = 1) as delivered,
      count(*) filter (where state = 2) as failed, count(*) filter (where state = 1 and attempts = 1) as first_try,
      count(*) filter (where attempts > 1 or (attempts = 1 and (state <> 0 or fault is not null))) as tried
    from sent s, span group by 1)
  select span.began as "from", span.p95_ms, slots.slot, coalesce(waiting, 0) as waiting,
    coalesce(delivered, 0) as delivered, coalesce(failed, 0) as failed, coalesce(first_try, 0) as first_try, coalesce(tried, 0) as tried
  from span left join slots on true`;

/** The outcomes of the newest deliveries to an account's webhook: those of 24 hours, up to a maximum number. */
export const readHealth = async (
  sql: Sql,
  { orgId, accountId }: Pick<LogScope, 'orgId' | 'accountId'>,
  now: Date,
): Promise<WebhookHealth> => {
  const earliest = new Date(now.getTime() - healthHours * hourMs);
  const { rows } = await sql.query<SlotRow>(healthStatement, [orgId, accountId, earliest, now]);
  const from = rows[0]?.from ?? earliest;
  const slotMs = (now.getTime() - from.getTime()) / healthSlots;
  const bySlot = new Map(rows.map(({ slot, from: _, p95_ms: __, ...counts }) => [slot, counts]));
  const noDeliveries = { waiting: 0, delivered: 0, failed: 0, first_try: 0, tried: 0 };
  const sum = (field: keyof typeof noDeliveries) => rows.reduce((all, row) => all + row[field], 0);
  return {
    from: from.toISOString(),
    to: now.toISOString(),
    waiting: sum('waiting'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    first_try: sum('first_try'),
    tried: sum('tried'),
    p95_ms: rows[0]?.p95_ms ?? null,
    slots: Array.from({ length: healthSlots }, (_, slot) => ({
      at: new Date(from.getTime() + slot * slotMs).toISOString(),
      ...noDeliveries,
      ...bySlot.get(slot),
    })),
  };
};
