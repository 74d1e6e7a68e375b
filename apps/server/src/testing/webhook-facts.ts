import type { WebhookEventType } from '@simcube/contract/webhook';
import { imeiChanged, sessionChanged } from '../modules/aaa/index.ts';
import { rulesFired } from '../modules/autoflow/index.ts';
import { billPublished } from '../modules/finance/index.ts';
import { poolEventRecorded } from '../modules/pool/index.ts';
import { reportsReady } from '../modules/report/index.ts';
import { simLifecycleChanged } from '../modules/sim/index.ts';
import { smsChanged, smsReceived } from '../modules/sms/index.ts';
import { taskProgressed } from '../modules/task/index.ts';
import { usageThresholdCrossed } from '../modules/usage/index.ts';
import type { EventDefinition } from '../platform/outbox/index.ts';

const iccid = '89860012300000000017';
const simId = 17;
const at = '2026-11-21T11:59:58.500Z';
const messageId = `${iccid}-1795262398500-4711`;

interface Example {
  event: EventDefinition;
  payload: unknown;
  /** What the event says about it. */
  expected: { time?: string; data: Record<string, unknown> };
  about: string;
}

/** A fact for each type of event, as its module records it, and the resulting event. */
export const facts = (userId: string): Record<WebhookEventType, Example> => ({
  'sim.lifecycle-changed': {
    event: simLifecycleChanged,
    payload: {
      sims: [{ simId, iccid, from: 'active', at }],
      to: 'paused',
      reason: 'suspend',
      actor: null,
      at,
    },
    expected: { time: at, data: { iccid, from: 'active', to: 'paused', reason: 'suspend' } },
    about: iccid,
  },
  'sim.connection-changed': {
    event: sessionChanged,
    payload: {
      at,
      changes: [
        { iccids: [iccid], status: 'online', isNew: true, kinds: ['session-started'] },
        { iccids: ['89860012300000000025'], status: 'online', isNew: false, kinds: ['network-changed'] },
      ],
    },
    expected: { time: at, data: { iccid, status: 'online' } },
    about: iccid,
  },
  'sim.imei-changed': {
    event: imeiChanged,
    payload: { sims: [{ simId, iccid, from: '356938035643809', to: '490154203237518', at }] },
    expected: { time: at, data: { iccid, from: '356938035643809', to: '490154203237518' } },
    about: iccid,
  },
  'sim.usage-threshold': {
    event: usageThresholdCrossed,
    payload: {
      simId,
      iccid,
      usedBytes: 859_000_000,
      thresholdBytes: 800_000_000,
      limitBytes: 1_000_000_000,
      overLimit: false,
      dataState: 0,
      rateKbps: null,
      at,
    },
    expected: {
      time: at,
      data: {
        iccid,
        used_bytes: 859_000_000,
        threshold_bytes: 800_000_000,
        limit_bytes: 1_000_000_000,
        percent: 85,
        over_limit: false,
      },
    },
    about: iccid,
  },
  'sms.mo': {
    event: smsReceived,
    payload: {
      sims: [{ simId, iccid }],
      at,
      messageId: 4711,
      message: { id: messageId, content: 'TEMP 21.5', encoding: 'gsm7', replyTo: null },
    },
    expected: {
      time: at,
      data: { iccid, message_id: messageId, content: 'TEMP 21.5', encoding: 'gsm7', reply_to: null },
    },
    about: iccid,
  },
  'sms.status': {
    event: smsChanged,
    payload: {
      sims: [{ simId, iccid }],
      messages: [{ iccid, id: messageId, status: 'delivered', reason: null }],
      at,
    },
    expected: { time: at, data: { iccid, message_id: messageId, status: 'delivered', reason: null } },
    about: iccid,
  },
  'autoflow.fired': {
    event: rulesFired,
    payload: {
      at,
      firings: [
        {
          id: 1,
          ruleId: 7,
          simId,
          iccid,
          rule: 'Fleet over 80 %',
          trigger: 'data-usage',
          at,
          measured: { value: 4096, threshold: 4000, unit: 'octets', since: null },
        },
      ],
    },
    expected: {
      time: at,
      data: {
        rule_id: '7',
        rule_name: 'Fleet over 80 %',
        trigger: 'data-usage',
        iccid,
        value: 4096,
        threshold: 4000,
        unit: 'octets',
      },
    },
    about: iccid,
  },
  'pool.event': {
    event: poolEventRecorded,
    payload: {
      poolId: 5,
      poolName: 'Trucks Europe',
      at: '2026-11-21T12:59:58.5+01:00',
      kind: 'pool overage',
      limitBefore: 10_000,
      limitAfter: 10_000,
      used: 10_001,
      sims: 3,
    },
    expected: {
      time: at,
      data: {
        pool_id: '5',
        pool_name: 'Trucks Europe',
        kind: 'pool overage',
        limit_before_bytes: 10_000,
        limit_after_bytes: 10_000,
        used_bytes: 10_001,
        sims: 3,
      },
    },
    about: '5',
  },
  'bill.published': {
    event: billPublished,
    payload: {
      orgId: 1,
      number: 'BILL-2026-10-00417',
      version: 2,
      month: '2026-10',
      type: 'post-payment',
      currency: 'EUR',
      totalMinor: 246_902,
      dueOn: '2026-11-28',
    },
    expected: {
      data: {
        number: 'BILL-2026-10-00417',
        version: 2,
        month: '2026-10',
        type: 'post-payment',
        currency: 'EUR',
        total_minor: 246_902,
        due_on: '2026-11-28',
      },
    },
    about: 'BILL-2026-10-00417',
  },
  'report.ready': {
    event: reportsReady,
    payload: { orgId: 1, month: '2026-10', timeZone: 'Europe/Madrid', kinds: ['sim-usage', 'pools'] },
    expected: { data: { month: '2026-10', time_zone: 'Europe/Madrid', kinds: ['sim-usage', 'pools'] } },
    about: '2026-10',
  },
  'task.finished': {
    event: taskProgressed,
    payload: { reference: 'T00000042', userId, type: 'sim-suspend', status: 'done', done: 3, quantity: 3 },
    expected: {
      data: { reference_id: 'T00000042', type: 'sim-suspend', status: 'done', quantity: 3, done: 3 },
    },
    about: 'T00000042',
  },
});
