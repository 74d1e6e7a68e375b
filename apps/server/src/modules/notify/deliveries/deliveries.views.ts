import type { Delivery, DeliveryFault, NotificationKind } from '@simcube/contract/notify';
import { deliveryStates } from '@simcube/contract/notify';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { failuresUntilProbes } from '../targets/targets.rules.ts';

interface DeliveryRow {
  id: number;
  notification_id: string;
  kind: NotificationKind;
  address: string;
  state: number;
  attempts: number;
  fault: DeliveryFault | null;
  status: number | null;
  created_at: Date;
  due_at: Date | null;
  last_at: Date | null;
  duration_ms: number | null;
}

/** The next attempt of waiting rows of `sent`: in a failing lane, not before the lane's next probe. */
export const nextAttempt = `case when state = 0 then greatest(due_at, (
    select l.next_try_at from delivery_lanes l where l.lane = sent.lane and l.failures >= ${failuresUntilProbes})) end`;

/** Columns in addition to those of `sent`. */
const columns = `id, notification_id, address, state, attempts, fault, status, created_at, ${nextAttempt} as due_at,
  (select n.kind from notifications n where n.id = sent.notification_id) as kind,
  (select a.at from delivery_attempts a where a.delivery_id = sent.id and a.number = sent.attempts) as last_at,
  (select a.duration_ms from delivery_attempts a where a.delivery_id = sent.id and a.number = sent.attempts) as duration_ms`;

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The state of a delivery by its number in the database. */
export const stateOf = (state: number) => deliveryStates[state] ?? 'waiting';

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: String(row.id),
  notification_id: row.notification_id,
  kind: row.kind,
  address: row.address,
  state: stateOf(row.state),
  attempts: row.attempts,
  fault: row.fault,
  status: row.status,
  duration_ms: row.duration_ms,
  created_at: row.created_at.toISOString(),
  last_attempt_at: isoOf(row.last_at),
  // During an attempt, the due time is the end of the claim.
  next_attempt_at: row.attempts > 0 && row.duration_ms === null ? null : isoOf(row.due_at),
});

/** Deliveries of one target, the newest first. */
export const deliveryList: List<{ targetId: number }, object, DeliveryRow, Delivery> = {
  name: 'notify.deliveries',
  tables: [
    {
      name: 'sent',
      from: () => sql`deliveries as sent`,
      inScope: ({ scope }) => sql`target_id = ${scope.targetId}`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [{ column: 'created_at', type: 'instant', descending: true }],
  filters: {},
  // A target may have many: further pages need a cursor.
  countLimit: 3000,
  select: sql.raw(columns),
  show: (rows) => rows.map(toDelivery),
};

/** One delivery to a target of the organisation, with its attempts. */
export const readDelivery = async (db: Sql, { orgId, id }: { orgId: number; id: number }) => {
  const { rows } = await db.query<DeliveryRow>(
    `select ${columns} from deliveries as sent where id = $1 and org_id = $2
       and target_id in (select t.id from notification_targets t where t.kind <> 'webhook')`,
    [id, orgId],
  );
  const [row] = rows;
  if (!row) return undefined;
  const tries = await db.query<{
    number: number;
    at: Date;
    duration_ms: number | null;
    fault: DeliveryFault | null;
    status: number | null;
  }>(
    `select number, at, duration_ms, fault, status from delivery_attempts where delivery_id = $1
     order by number desc limit 100`,
    [id],
  );
  return { ...toDelivery(row), tries: tries.rows.map((one) => ({ ...one, at: one.at.toISOString() })) };
};

interface AttemptContext {
  id: number;
  attempts: number;
  lane: number;
  createdAt: Date;
  resentAt: Date | null;
  attemptsBefore: number;
  beganAt: Date;
}

/** An attempt of a delivery, with the facts that decide about the next. */
export const findAttempt = async (
  tx: Sql,
  { id, attempts }: { id: number; attempts: number },
): Promise<AttemptContext | undefined> =>
  (
    await tx.query<AttemptContext>(
      `select d.id, a.number as attempts, d.lane, d.created_at as "createdAt", d.resent_at as "resentAt",
         d.attempts_before as "attemptsBefore", a.at as "beganAt"
       from delivery_attempts a join deliveries d on d.id = a.delivery_id where a.delivery_id = $1 and a.number = $2`,
      [id, attempts],
    )
  ).rows[0];

/** Number of test notifications to a target since then; those of webhooks have a separate kind. */
export const countTests = async (
  tx: Sql,
  { targetId, since, kind = 'test' }: { targetId: number; since: Date; kind?: string },
): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      `select count(distinct d.notification_id)::int as count
       from deliveries d join notifications n on n.id = d.notification_id
       where d.target_id = $1 and d.created_at > $2 and n.kind = $3`,
      [targetId, since, kind],
    )
  ).rows[0]?.count ?? 0;

/** The same for an organisation, to all of its targets, including ones removed since. */
export const countOrganisationTests = async (
  tx: Sql,
  { orgId, since, kind }: { orgId: number; since: Date; kind: 'test' | 'autoflow.tried' },
): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      `select count(*)::int as count from notifications
       where org_id = $1 and created_at > $2 and kind = $3 and kind in ('test', 'autoflow.tried')`,
      [orgId, since, kind],
    )
  ).rows[0]?.count ?? 0;

/** Number of unsettled deliveries, by channel. */
export const countWaiting = async (
  from: Sql,
): Promise<{ channel: string; count: number; failed: number; oldestAt: Date }[]> =>
  (
    await from.query(
      `select channel, count(*), count(*) filter (where fault is not null) as failed, min(created_at) as "oldestAt"
       from deliveries where state = 0 group by channel order by channel`,
    )
  ).rows;
