import type { WebhookEventData, WebhookEventType, WebhookSubjectKind } from '@simcube/contract/webhook';
import type { z } from 'zod';
import type { EventDefinition, Fact } from '../../../platform/outbox/index.ts';
import { imeiChanged, sessionChanged } from '../../aaa/index.ts';
import { rulesFired } from '../../autoflow/index.ts';
import { billPublished } from '../../finance/index.ts';
import { poolEventRecorded } from '../../pool/index.ts';
import { reportsReady } from '../../report/index.ts';
import { simLifecycleChanged } from '../../sim/index.ts';
import { smsChanged, smsReceived } from '../../sms/index.ts';
import { taskProgressed } from '../../task/index.ts';
import { usageThresholdCrossed } from '../../usage/index.ts';

/** What happened to an organisation, in the form for its developers. */
export interface EventContent<D = unknown> {
  /** ISO 8601. */
  time: string;
  about: { kind: WebhookSubjectKind; id: string };
  data: D;
  /** For events about a single account. */
  accountId?: string;
}

export interface Source {
  type: WebhookEventType;
  event: EventDefinition;
  read: (fact: Fact) => EventContent[];
}

const source = <T extends WebhookEventType, E extends EventDefinition>(
  type: T,
  event: E,
  read: (payload: z.output<E['payload']>, at: Date) => EventContent<WebhookEventData<T>>[],
): Source => ({
  type,
  event,
  read: ({ payload, createdAt }) => read(payload as z.output<E['payload']>, createdAt),
});

const sim = (iccid: string) => ({ kind: 'sim', id: iccid }) as const;

/** The facts that become events: a further type needs a line here, and its `data` in the contract. */
export const sources: readonly Source[] = [
  source('sim.lifecycle-changed', simLifecycleChanged, ({ sims, to, reason }) =>
    sims.map(({ iccid, from, at }) => ({ time: at, about: sim(iccid), data: { iccid, from, to, reason } })),
  ),
  source('sim.connection-changed', sessionChanged, ({ at, changes }) =>
    changes
      .filter(({ isNew }) => isNew)
      .flatMap(({ iccids, status }) =>
        iccids.map((iccid) => ({ time: at, about: sim(iccid), data: { iccid, status } })),
      ),
  ),
  source('sim.imei-changed', imeiChanged, ({ sims }) =>
    sims.map(({ iccid, from, to, at }) => ({ time: at, about: sim(iccid), data: { iccid, from, to } })),
  ),
  source('sim.usage-threshold', usageThresholdCrossed, (crossed) => {
    const { iccid, usedBytes, thresholdBytes, limitBytes, overLimit, at } = crossed;
    const data = {
      iccid,
      used_bytes: usedBytes,
      threshold_bytes: thresholdBytes,
      limit_bytes: limitBytes,
      percent: limitBytes ? Math.floor((usedBytes / limitBytes) * 100) : null,
      over_limit: overLimit,
    };
    return [{ time: at, about: sim(iccid), data }];
  }),
  source('sms.mo', smsReceived, ({ sims: [one], at, message }) => {
    if (!one || !message) return [];
    const { id, content, encoding, replyTo } = message;
    const data = { iccid: one.iccid, message_id: id, content, encoding, reply_to: replyTo };
    return [{ time: at, about: sim(one.iccid), data }];
  }),
  source('sms.status', smsChanged, ({ messages, at }, recordedAt) =>
    messages.map(({ iccid, id, status, reason }) => ({
      time: at ?? recordedAt.toISOString(),
      about: sim(iccid),
      data: { iccid, message_id: id, status, reason },
    })),
  ),
  source('pool.event', poolEventRecorded, ({ poolId, poolName, at, kind, sims, ...figures }) => {
    const id = String(poolId);
    const data = {
      pool_id: id,
      pool_name: poolName,
      kind,
      limit_before_bytes: figures.limitBefore,
      limit_after_bytes: figures.limitAfter,
      used_bytes: figures.used,
      sims,
    };
    return [{ time: new Date(at).toISOString(), about: { kind: 'pool', id }, data }];
  }),
  source('autoflow.fired', rulesFired, ({ firings }) =>
    firings.map(({ ruleId, rule, trigger, iccid, at, measured: { value, threshold, unit } }) => ({
      time: at,
      about: sim(iccid),
      data: { rule_id: String(ruleId), rule_name: rule, trigger, iccid, value, threshold, unit },
    })),
  ),
  source('bill.published', billPublished, ({ orgId: _, totalMinor, dueOn, ...bill }, at) => [
    {
      time: at.toISOString(),
      about: { kind: 'bill', id: bill.number },
      data: { ...bill, total_minor: totalMinor, due_on: dueOn },
    },
  ]),
  source('report.ready', reportsReady, ({ month, timeZone, kinds }, recordedAt) => [
    {
      time: recordedAt.toISOString(),
      about: { kind: 'report', id: month },
      data: { month, time_zone: timeZone, kinds },
    },
  ]),
  source('task.finished', taskProgressed, ({ reference, userId, type, status, done, quantity }, at) =>
    status === 'processing'
      ? []
      : [
          {
            time: at.toISOString(),
            about: { kind: 'task', id: reference },
            data: { reference_id: reference, type, status, quantity, done },
            accountId: userId,
          },
        ],
  ),
];
