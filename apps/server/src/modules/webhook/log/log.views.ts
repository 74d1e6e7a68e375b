import { limits } from '@simcube/contract';
import { type DeliveryFault, deliveryStates } from '@simcube/contract/notify';
import type {
  WebhookCounts,
  WebhookDelivery,
  WebhookLogFilter,
  WebhookLoggedType,
  WebhookSubjectKind,
} from '@simcube/contract/webhook';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { countRows, type List, readAll } from '../../../platform/lists/index.ts';
import { nextAttempt, stateOf } from '../../notify/index.ts';
import { simsBy } from '../../sim/index.ts';

/** Deliveries of an account's webhook, of the types that the caller may see. */
export interface LogScope {
  orgId: number;
  accountId: string;
  types: readonly WebhookLoggedType[];
}

interface Row {
  id: number;
  event_id: string;
  type: WebhookLoggedType;
  created_at: Date;
  about_kind: WebhookSubjectKind | null;
  about: string | null;
  name: string | null;
  state: number;
  attempts: number;
  fault: DeliveryFault | null;
  status: number | null;
  duration_ms: number | null;
  last_at: Date | null;
  due_at: Date | null;
}

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const toDelivery = (row: Row): WebhookDelivery => ({
  id: String(row.id),
  event_id: row.event_id,
  type: row.type,
  created_at: row.created_at.toISOString(),
  about: row.about_kind && { kind: row.about_kind, id: row.about ?? '', name: row.name },
  state: stateOf(row.state),
  attempts: row.attempts,
  fault: row.fault,
  status: row.status,
  duration_ms: row.duration_ms,
  last_attempt_at: isoOf(row.last_at),
  // During an attempt, the due time is the end of the claim.
  next_attempt_at: row.last_at !== null && row.duration_ms === null ? null : isoOf(row.due_at),
});

const columns = sql`id, event_id, type, created_at, about_kind, about, state, attempts, fault, status,
  ${sql.raw(nextAttempt)} as due_at,
  case about_kind
    when 'sim' then (
      select s.device_name from ${sql.raw(simsBy('iccid'))} i join sims s on s.id = i.sim_id
      where i.value = about and s.org_id = sent.org_id)
    when 'pool' then (select n.body::json #>> '{data,pool_name}' from notifications n where n.id = sent.event_id)
  end as name,
  (select a.at from delivery_attempts a where a.delivery_id = sent.id and a.number = sent.attempts) as last_at,
  (select a.duration_ms from delivery_attempts a where a.delivery_id = sent.id and a.number = sent.attempts)
    as duration_ms`;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const log: Omit<List<LogScope, object, Row, WebhookDelivery>, 'filters'> = {
  name: 'webhook.log',
  tables: [
    {
      name: 'sent',
      from: () => sql`(
        select d.id, d.org_id, d.target_id, d.lane, d.state, d.attempts, d.fault, d.status, d.due_at, d.created_at,
          n.id as event_id, n.kind as type, n.about_kind, n.about, n.org_id as event_org_id
        from deliveries d join notifications n on n.id = d.notification_id) as sent`,
      inScope: ({
        scope: { orgId, accountId, types },
      }) => sql`event_org_id = ${orgId} and type = any(${types}::text[])
        and target_id = (select t.id from notification_targets t where t.org_id = ${orgId} and t.account_id = ${accountId})`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [{ column: 'created_at', type: 'instant', descending: true }],
  // A webhook may have many: further pages need a cursor.
  countLimit: limits.countedTotal,
  select: columns,
  show: (rows) => rows.map(toDelivery),
};

/** Deliveries to a webhook, the newest first. */
export const logList: List<LogScope, WebhookLogFilter, Row, WebhookDelivery> = {
  ...log,
  filters: {
    type: (types) => sql`type = any(${types}::text[])`,
    // Written as in the partial indexes of waiting and failed deliveries.
    state: (states) =>
      sql`state in (${sql.join(states.map((state) => sql.lit(deliveryStates.indexOf(state))))})`,
    from: (from) => sql`created_at >= ${from}::timestamptz`,
    to: (to) => sql`created_at < ${to}::timestamptz`,
    search: (text) => (uuid.test(text) ? sql`event_id = ${text}::uuid` : sql`about = ${text}`),
  },
};

const logEntry: List<LogScope, { id: number }, Row, WebhookDelivery> = {
  ...log,
  filters: { id: (id) => sql`id = ${id}` },
};

/** One of them as the list shows it; undefined when it does not belong to the caller. */
export const findDelivery = async (
  db: Db,
  { scope, now, id }: { scope: LogScope; now: Date; id: number },
): Promise<WebhookDelivery | undefined> => {
  for await (const [found] of readAll(db, logEntry, { scope, now, filter: { id }, atOnce: 1 })) return found;
  return undefined;
};

/** The number in each state, ignoring the filter's states, each counted up to a limit. */
export const countStates = async (
  db: Db,
  query: { scope: LogScope; now: Date; filter: WebhookLogFilter },
): Promise<WebhookCounts> => {
  const most = limits.webhooks.counted;
  const count = (state: (typeof deliveryStates)[number]) =>
    countRows(db, logList, { ...query, filter: { ...query.filter, state: [state] }, most });
  const [waiting, delivered, failed] = [
    await count('waiting'),
    await count('delivered'),
    await count('failed'),
  ];
  return { waiting, delivered, failed };
};
