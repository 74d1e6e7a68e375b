import { randomUUID } from 'node:crypto';
import type { Channel, DeliveryFault, NotificationKind } from '@simcube/contract/notify';
import type { Sql } from '../../../platform/db/index.ts';
import { failuresUntilProbes } from '../targets/targets.rules.ts';

/** Lanes of deliveries that share a server: all mails fail together, and all messages. */
export const sharedLanes = { email: 0, sms: -1 } as const;

export interface NewDelivery {
  targetId: number | null;
  channel: Channel;
  lane: number;
  address: string;
  language: string;
  /** Given up before it began, for example to a paused target. */
  fault: DeliveryFault | null;
}

/**
 * Writes notifications that differ in their fields, each to all of the deliveries.
 * @returns their ids, in the order of the fields
 */
export const insertNotifications = async (
  tx: Sql,
  notifications: { orgId: number; kind: NotificationKind; each: readonly object[]; at: Date },
  deliveries: readonly NewDelivery[],
): Promise<string[]> => {
  const ids = notifications.each.map(() => randomUUID());
  await tx.query(
    `with told as (
       insert into notifications (id, org_id, kind, fields, created_at)
       select v.id, $1, $2, v.fields, $4
       from rows from (unnest($11::uuid[]), jsonb_array_elements($3::jsonb)) as v (id, fields) returning id),
     going as (
       insert into deliveries (notification_id, org_id, target_id, channel, lane, address, language, fault, state, due_at,
         created_at)
       select told.id, $1, d.target_id, d.channel, d.lane, d.address, d.language, d.fault,
         case when d.fault is null then 0 else 2 end, case when d.fault is null then $4::timestamptz end, $4
       from told, unnest($5::bigint[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[])
         as d (target_id, channel, lane, address, language, fault))
     select pg_notify('deliveries', '')`,
    [
      notifications.orgId,
      notifications.kind,
      JSON.stringify(notifications.each),
      notifications.at,
      deliveries.map(({ targetId }) => targetId),
      deliveries.map(({ channel }) => channel),
      deliveries.map(({ lane }) => lane),
      deliveries.map(({ address }) => address),
      deliveries.map(({ language }) => language),
      deliveries.map(({ fault }) => fault),
      ids,
    ],
  );
  return ids;
};

/** A delivery whose attempt has begun. */
export interface ClaimedDelivery {
  id: number;
  /** The number of this attempt, from 1. */
  attempts: number;
  lane: number;
  channel: Channel;
  address: string;
  language: string;
  createdAt: Date;
  notificationId: string;
  orgId: number;
  kind: NotificationKind;
  fields: Record<string, string | number>;
  /** The body of a request, if it is not built from kind and fields. */
  body: string | null;
  notifiedAt: Date;
  /** When it was last sent again manually, and how many attempts it had then. */
  resentAt: Date | null;
  attemptsBefore: number;
  /** Sealed, the newest first. */
  secrets: Buffer[];
}

export interface Claim {
  /** The lanes that this process knows, and how many more attempts each may begin. */
  lanes: readonly number[];
  capacities: readonly number[];
  /** The same for an unknown lane. */
  firstCapacity: number;
  limit: number;
  now: Date;
  /** When any process may claim it again, should this one die. */
  leaseUntil: Date;
}

/**
 * Claims what is due, in each lane as much as there is room for, and records that the attempts began. Lanes are
 * found by a loose index scan, so that a lane with a million deliveries costs no more than one with one. In a
 * failing lane, only one delivery at a time is claimed, by one process. Deliveries to the webhook of a disabled
 * account wait.
 */
export const claimDeliveries = async (sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> =>
  (
    await sql.query<ClaimedDelivery>({
      name: 'deliveries-claim',
      text: `
        with recursive waiting as (
          (select lane from deliveries where state = 0 order by lane limit 1)
          union all
          select (select d.lane from deliveries d where d.state = 0 and d.lane > w.lane order by d.lane limit 1)
          from waiting w where w.lane is not null),
        open as (
          select w.lane, coalesce(r.room, $3::int) as room, coalesce(l.failures >= ${failuresUntilProbes}, false) as probed
          from waiting w
            left join unnest($1::bigint[], $2::int[]) as r (lane, room) on r.lane = w.lane
            left join delivery_lanes l on l.lane = w.lane
          where coalesce(r.room, $3::int) > 0 and (coalesce(l.failures, 0) < ${failuresUntilProbes} or l.next_try_at <= $5)
            and exists (select from deliveries d where d.state = 0 and d.lane = w.lane and d.due_at <= $5)
            and not exists (
              select from notification_targets t join memberships m on m.org_id = t.org_id and m.user_id = t.account_id
                join users u on u.id = m.user_id
              where t.id = w.lane and (m.disabled_at is not null or u.disabled_at is not null))),
        probes as (
          update delivery_lanes l set next_try_at = $6 from open
          where open.probed and l.lane = open.lane and l.next_try_at <= $5 returning l.lane),
        ready as (
          select lane, room from open where not probed union all select lane, 1 from probes),
        due as (
          select d.id from (select * from ready order by random()) as ready cross join lateral (
            select id from deliveries where state = 0 and lane = ready.lane and due_at <= $5
            order by due_at, deliveries.id limit ready.room for update skip locked) d
          limit $4),
        claimed as (
          update deliveries d set due_at = $6, attempts = d.attempts + 1,
            address = coalesce((
              select t.addresses[1] from notification_targets t where t.id = d.target_id and d.channel = 'api'), d.address)
          from due where d.id = due.id
          returning d.id, d.attempts, d.lane, d.channel, d.address, d.language, d.created_at, d.notification_id, d.org_id,
            d.target_id, d.resent_at, d.attempts_before),
        interrupted as (
          update delivery_attempts a set fault = 'interrupted', duration_ms = 0 from claimed
          where claimed.attempts > 1 and a.delivery_id = claimed.id and a.number = claimed.attempts - 1
            and a.duration_ms is null),
        begun as (
          insert into delivery_attempts (delivery_id, number, at) select id, attempts, $5 from claimed)
        select c.id, c.attempts, c.lane, c.channel, c.address, c.language, c.created_at as "createdAt",
          c.notification_id as "notificationId", c.org_id as "orgId", n.kind, n.fields, n.body, n.created_at as "notifiedAt", c.resent_at as "resentAt",
          c.attempts_before as "attemptsBefore",
          case when c.channel = 'api' then array(
            select sealed from target_secrets s where s.target_id = c.target_id and (s.expires_at is null or s.expires_at > $5)
            order by s.id desc) else '{}' end as secrets
        from claimed c join notifications n on n.id = c.notification_id`,
      values: [claim.lanes, claim.capacities, claim.firstCapacity, claim.limit, claim.now, claim.leaseUntil],
    })
  ).rows;

/**
 * @returns whether it is still the delivery's newest attempt; if so, no other process claims it until the
 * transaction ends
 */
export const lockAttempt = async (
  tx: Sql,
  { id, attempts }: { id: number; attempts: number },
): Promise<boolean> =>
  (
    await tx.query('select from deliveries where id = $1 and attempts = $2 and state = 0 for update', [
      id,
      attempts,
    ])
  ).rows.length > 0;

/** Marks its attempt as under way for longer than a claim. */
export const markHandedOver = async (tx: Sql, { id, until }: { id: number; until: Date }): Promise<void> => {
  await tx.query('update deliveries set due_at = $2 where id = $1', [id, until]);
};

/** The result of an attempt. */
export interface AttemptResult {
  id: number;
  attempts: number;
  /** As in `deliveries`. */
  state: 0 | 1 | 2;
  fault: DeliveryFault | null;
  status: number | null;
  durationMs: number;
  /** When it is attempted again; null if it is not. */
  dueAt: Date | null;
}

/**
 * Writes results of attempts. The result of a delivery that was claimed again in the meantime is stored without
 * effect; a delivery that was given up in the meantime still becomes delivered.
 */
export const settleDeliveries = async (tx: Sql, results: readonly AttemptResult[]): Promise<void> => {
  await tx.query({
    name: 'deliveries-settle',
    text: `
      with result as (
        select unnest($1::bigint[]) as id, unnest($2::int[]) as attempts, unnest($3::smallint[]) as state,
          unnest($4::text[]) as fault, unnest($5::int[]) as status, unnest($6::int[]) as duration_ms,
          unnest($7::timestamptz[]) as due_at),
      attempted as (
        update delivery_attempts a set duration_ms = r.duration_ms, fault = r.fault, status = r.status
        from result r where a.delivery_id = r.id and a.number = r.attempts)
      update deliveries d set state = r.state, fault = r.fault, status = r.status, due_at = r.due_at
      from result r where d.id = r.id and d.attempts = r.attempts and (d.state = 0 or r.state = 1)`,
    values: [
      results.map(({ id }) => id),
      results.map(({ attempts }) => attempts),
      results.map(({ state }) => state),
      results.map(({ fault }) => fault),
      results.map(({ status }) => status),
      results.map(({ durationMs }) => durationMs),
      results.map(({ dueAt }) => dueAt),
    ],
  });
};

/** Those whose request was sent to an address that their target no longer has. */
export const listWithFormerAddress = async (tx: Sql, ids: readonly number[]): Promise<Set<number>> => {
  const { rows } = await tx.query<{ id: number }>({
    name: 'deliveries-moved',
    text: `select d.id from deliveries d join notification_targets t on t.id = d.target_id
           where d.id = any($1::bigint[]) and d.channel = 'api' and d.address is distinct from t.addresses[1]`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
};

/** Resets the failures, which count in a row, of lanes that had a success. */
export const clearLanes = async (tx: Sql, lanes: readonly number[]): Promise<void> => {
  await tx.query({
    name: 'delivery-lanes-clear',
    text: `update delivery_lanes set failures = 0, failing_since = null, next_try_at = null
           where lane = any($1) and failures > 0`,
    values: [lanes],
  });
};

export interface FailingLane {
  lane: number;
  failures: number;
  failingSince: Date;
  notifiedAt: Date | null;
}

/** Counts failures of a lane, from zero if its last one was before `seriesSince`. */
export const countFailures = async (
  tx: Sql,
  { lane, failures, at, seriesSince }: { lane: number; failures: number; at: Date; seriesSince: Date },
): Promise<FailingLane | undefined> =>
  (
    await tx.query<FailingLane>(
      `insert into delivery_lanes as l (lane, failures, failing_since, failed_at) values ($1, $2, $3, $3)
       on conflict (lane) do update
         set failures = excluded.failures + case when l.failed_at < $4 then 0 else l.failures end,
           failing_since = coalesce(case when l.failed_at < $4 then null else l.failing_since end, excluded.failing_since),
           failed_at = excluded.failed_at
       returning lane, failures, failing_since as "failingSince", told_at as "notifiedAt"`,
      [lane, failures, at, seriesSince],
    )
  ).rows[0];

export const scheduleProbe = async (tx: Sql, lane: number, at: Date): Promise<void> => {
  await tx.query('update delivery_lanes set next_try_at = $2 where lane = $1', [lane, at]);
};

export const markNotified = async (tx: Sql, lane: number, at: Date): Promise<void> => {
  await tx.query('update delivery_lanes set told_at = $2 where lane = $1', [lane, at]);
};

/** Gives up deliveries that wait for a target. */
export const giveUpLane = async (
  tx: Sql,
  lane: number,
  fault: 'paused' | 'disabled' = 'paused',
): Promise<void> => {
  await tx.query('update deliveries set state = 2, due_at = null, fault = $2 where lane = $1 and state = 0', [
    lane,
    fault,
  ]);
};

interface WaitingEvents {
  orgId: number;
  accountId: string;
  kinds: readonly string[];
}

/** Gives up events of these kinds that wait for an account's webhook. */
export const giveUpEvents = async (tx: Sql, { orgId, accountId, kinds }: WaitingEvents): Promise<void> => {
  await tx.query(
    `update deliveries d set state = 2, due_at = null, fault = 'type'
     from notification_targets t, notifications n
     where t.org_id = $1 and t.account_id = $2 and d.lane = t.id and d.state = 0
       and n.id = d.notification_id and n.kind = any($3::text[])`,
    [orgId, accountId, kinds],
  );
};

/** One of the kinds of which an event waits for an account's webhook. */
export const findWaitingKind = async (
  tx: Sql,
  { orgId, accountId, kinds }: WaitingEvents,
): Promise<string | undefined> =>
  (
    await tx.query<{ kind: string }>(
      `select n.kind from notification_targets t
         join deliveries d on d.lane = t.id and d.state = 0
         join notifications n on n.id = d.notification_id
       where t.org_id = $1 and t.account_id = $2 and n.kind = any($3::text[]) limit 1`,
      [orgId, accountId, kinds],
    )
  ).rows[0]?.kind;

/** Gives up deliveries created before then. */
export const giveUpExpired = async (sql: Sql, before: Date): Promise<void> => {
  await sql.query(
    `update deliveries set state = 2, due_at = null, fault = 'expired' where state = 0 and coalesce(resent_at, created_at) < $1`,
    [before],
  );
};

const batchSize = 5000;

/**
 * Deletes notifications from before then, with their deliveries and attempts, a limited number at a time.
 * @returns how many
 */
export const trimNotifications = async (sql: Sql, before: Date): Promise<number> => {
  const { rowCount } = await sql.query(
    `delete from notifications where id = any(array(
       select id from notifications where created_at < $1 order by created_at limit ${batchSize}))`,
    [before],
  );
  return rowCount ?? 0;
};
