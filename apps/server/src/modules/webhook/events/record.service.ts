import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '@simcube/contract/webhook';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { memoizedEnsureDayPartition } from '../../../platform/db/index.ts';
import { type Consumer, defineBatchConsumer, type Fact } from '../../../platform/outbox/index.ts';
import { type OutgoingEvent, queueEvents } from '../../notify/index.ts';
import { maySee } from '../webhook.rules.ts';
import { assignSequences, insertEvents } from './events.queries.ts';
import { type EventContent, type Source, sources } from './sources.ts';
import { listSubscriptions, type Subscription } from './subscriptions.views.ts';

/** Number of events after which a transaction ends: a single fact may be about a thousand SIMs. */
const batchSize = 5000;

const byTopic = groupBy<Source, string>(sources, ({ event }) => event.topic);

/** An event and its recipients. */
interface RecordedEvent {
  orgId: number;
  type: WebhookEventType;
  content: EventContent;
  /** Accounts that have chosen the type and were developers at that time. */
  subscribers: readonly Subscription[];
  recordedAt: Date;
}

/** Records facts as events of their organisations, if these have developers, and queues them for delivery. */
export const eventRecorder = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Consumer => {
  const keepDay = memoizedEnsureDayPartition(pool, 'webhook_events');
  return defineBatchConsumer({
    name: 'webhook.record-events',
    events: [...new Set(sources.map(({ event }) => event))],
    async handleAll(tx, facts) {
      const orgIds = [...new Set(facts.flatMap(({ orgId }) => orgId ?? []))];
      const subscriptions = await listSubscriptions(tx, orgIds);
      if (subscriptions.size === 0) return facts.length;
      const recorded: RecordedEvent[] = [];
      let processed = 0;
      for (const fact of facts) {
        if (recorded.length >= batchSize) break;
        recorded.push(...eventsOf(fact, subscriptions.get(fact.orgId ?? 0) ?? []));
        processed += 1;
      }
      if (recorded.length > 0) {
        const now = clock.now();
        await keepDay(now);
        await record(tx, recorded, now);
      }
      return processed;
    },
  });
};

const eventsOf = (fact: Fact, subscriptions: readonly Subscription[]): RecordedEvent[] =>
  (byTopic.get(fact.topic) ?? []).flatMap(({ type, read }) => {
    const subscribers = subscriptions.filter(
      ({ since, permissions }) =>
        (since.get(type)?.getTime() ?? Number.POSITIVE_INFINITY) <= fact.createdAt.getTime() &&
        maySee(permissions, type),
    );
    if (subscribers.length === 0) return [];
    return read(fact).map((content) => ({
      orgId: fact.orgId ?? 0,
      type,
      content,
      subscribers: subscribers.filter(
        ({ accountId }) => content.accountId === undefined || content.accountId === accountId,
      ),
      recordedAt: fact.createdAt,
    }));
  });

const record = async (tx: pg.PoolClient, all: readonly RecordedEvent[], now: Date): Promise<void> => {
  const recorded = all.filter(({ subscribers }) => subscribers.length > 0);
  const next = await assignSequences(tx, recorded);
  const events = recorded.map(({ orgId, type, content, subscribers, recordedAt }) => {
    const sequence = next(orgId);
    const id = randomUUID();
    const { time, about, data, accountId = null } = content;
    const organisation = subscribers[0]?.orgCode ?? '';
    const body = JSON.stringify({ id, type, time, sequence, organisation, data });
    return { id, orgId, sequence, type, about, accountId, body, to: receiversOf(subscribers, recordedAt) };
  });
  await insertEvents(tx, events, now);
  await queueEvents(tx, events, now);
};

/** Webhooks that were switched on when it happened. */
const receiversOf = (subscribers: readonly Subscription[], at: Date): OutgoingEvent['to'] =>
  subscribers.flatMap(({ targetId, url, enabledAt, isPaused }) =>
    url !== null && enabledAt !== null && enabledAt <= at ? [{ targetId, url, isPaused }] : [],
  );
