import type { DeliveryFault } from '@simcube/contract/notify';
import { dayMs } from '@simcube/contract/time';
import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findTarget, type PausedTarget, pauseTarget } from '../targets/targets.queries.ts';
import { failuresUntilProbes } from '../targets/targets.rules.ts';
import type { Outcome } from './channels.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  clearLanes,
  countFailures,
  type FailingLane,
  giveUpLane,
  listWithFormerAddress,
  markNotified,
  scheduleProbe,
  settleDeliveries,
} from './deliveries.queries.ts';
import { expiryCutoff, nextAttemptAt, probePause, seriesCutoff } from './deliveries.rules.ts';
import { insertExchanges } from './exchanges.queries.ts';
import { notifyRecipients } from './notifications.service.ts';
import { ownersOf } from './recipients.views.ts';

/** A finished attempt. */
export interface Attempt {
  delivery: Pick<ClaimedDelivery, 'id' | 'attempts' | 'lane' | 'createdAt' | 'resentAt' | 'attemptsBefore'>;
  outcome: Outcome;
  durationMs: number;
}

/**
 * Writes the results of attempts, and the consequences for their lanes: probes, pauses, and notifications of
 * owners.
 */
export const settle = async (tx: Sql, ended: readonly Attempt[], now: Date): Promise<void> => {
  const attempts = await ignoreFormerAddresses(tx, ended);
  await settleDeliveries(
    tx,
    attempts.map((attempt) => resultOf(attempt, now)),
  );
  await insertExchanges(tx, attempts, now);
  const lanes = lanesOf(attempts);
  const working = [...lanes].filter(([, { isWorking }]) => isWorking).map(([lane]) => lane);
  if (working.length > 0) await clearLanes(tx, working);
  // Lanes are locked in one order everywhere, so that two processes that settle the same ones don't deadlock.
  for (const [lane, { isWorking, failures, last, gone }] of [...lanes].sort(([a], [b]) => a - b)) {
    if (gone) await pause(tx, { lane, reason: 'gone', fault: 'gone', at: now });
    else if (!isWorking && last) await recordFailures(tx, { lane, failures, fault: last, now });
  }
};

/**
 * A target's address may have changed since an attempt began: the former address's response says nothing about
 * the new one, to which the delivery is sent next.
 */
const ignoreFormerAddresses = async (tx: Sql, attempts: readonly Attempt[]): Promise<readonly Attempt[]> => {
  const failed = attempts.flatMap(({ delivery, outcome }) => (outcome.delivered ? [] : [delivery.id]));
  if (failed.length === 0) return attempts;
  const moved = await listWithFormerAddress(tx, failed);
  if (moved.size === 0) return attempts;
  return attempts.map(({ outcome, ...attempt }) => {
    if (outcome.delivered || !moved.has(attempt.delivery.id)) return { ...attempt, outcome };
    const { final: _, ...retriable } = outcome;
    return { ...attempt, outcome: { ...retriable, addressOnly: true } };
  });
};

const resultOf = ({ delivery, outcome, durationMs }: Attempt, now: Date): AttemptResult => {
  const { id, attempts } = delivery;
  if (outcome.delivered) {
    return { id, attempts, state: 1, fault: null, status: outcome.status ?? null, durationMs, dueAt: null };
  }
  const { fault, status = null, requestedDelayMs } = outcome;
  const dueAt =
    fault === 'interrupted'
      ? now
      : nextAttemptAt(seriesOf(delivery), { now, random: Math.random(), requestedDelayMs });
  const retryAt = outcome.final ? undefined : dueAt;
  return { id, attempts, state: retryAt ? 0 : 2, fault, status, durationMs, dueAt: retryAt ?? null };
};

/** The attempts and the start of the current series: since it was created, or sent again. */
const seriesOf = ({ attempts, attemptsBefore, createdAt, resentAt }: Attempt['delivery']) => ({
  attempts: attempts - attemptsBefore,
  createdAt: resentAt ?? createdAt,
});

interface LaneResult {
  /** A delivery succeeded, or its receiver responded, so the lane works. */
  isWorking: boolean;
  failures: number;
  last: DeliveryFault | undefined;
  gone: boolean;
}

/** Replies of the mail server about an address or a mail. */
const replyFaults: ReadonlySet<DeliveryFault> = new Set(['refused', 'content']);

const lanesOf = (attempts: readonly Attempt[]): Map<number, LaneResult> => {
  const lanes = new Map<number, LaneResult>();
  for (const { delivery, outcome } of attempts) {
    const lane = lanes.get(delivery.lane) ?? { isWorking: false, failures: 0, last: undefined, gone: false };
    lanes.set(delivery.lane, lane);
    if (outcome.delivered || replyFaults.has(outcome.fault)) lane.isWorking = true;
    else if (!outcome.addressOnly) {
      lane.failures += 1;
      lane.last = outcome.fault;
      lane.gone ||= outcome.fault === 'gone';
    }
  }
  return lanes;
};

interface LaneFailures {
  lane: number;
  failures: number;
  fault: DeliveryFault;
  now: Date;
}

const recordFailures = async (tx: Sql, { lane, failures, fault, now }: LaneFailures): Promise<void> => {
  const state = await countFailures(tx, { lane, failures, at: now, seriesSince: seriesCutoff(now) });
  if (!state || state.failures < failuresUntilProbes) return;
  await scheduleProbe(tx, lane, new Date(now.getTime() + probePause(state.failures, Math.random())));
  if (state.failingSince <= expiryCutoff(now)) await pause(tx, { lane, reason: 'failing', fault, at: now });
  else if (shouldNotify(state, now)) await notifyFailing(tx, { lane, fault, at: now });
};

/**
 * An owner is notified once a day at most: a target that alternates between failing and working would fill a
 * mailbox.
 */
const shouldNotify = ({ notifiedAt }: FailingLane, now: Date): boolean =>
  notifiedAt === null || now.getTime() - notifiedAt.getTime() >= dayMs;

interface LaneFault {
  lane: number;
  fault: DeliveryFault;
  at: Date;
}

const notifyFailing = async (tx: Sql, { lane, fault, at }: LaneFault): Promise<void> => {
  const target = await findTarget(tx, lane);
  if (!target) return;
  await markNotified(tx, lane, at);
  await notifyOwners(tx, target, { kind: 'target.failing', fault, at });
};

/** Nothing is sent to it until somebody resumes it. */
const pause = async (
  tx: Sql,
  { lane, reason, fault, at }: LaneFault & { reason: 'failing' | 'gone' },
): Promise<void> => {
  const target = await pauseTarget(tx, { id: lane, reason, at });
  if (!target) return;
  await giveUpLane(tx, lane);
  await notifyOwners(tx, target, { kind: 'target.paused', fault, at });
  await recordAudit(tx, {
    orgId: target.orgId,
    actor: system,
    action: target.kind === 'webhook' ? 'webhook.paused' : 'api-target.paused',
    at,
    subject: { kind: target.kind === 'webhook' ? 'webhook' : 'group', id: target.ref, name: target.name },
    before: { paused: null },
    after: { paused: reason },
  });
};

const system: Actor = {
  kind: 'system',
  id: null,
  name: 'SimCube',
  address: null,
  traceId: null,
  action: undefined,
};

const notifyOwners = async (
  tx: Sql,
  { orgId, ownerId, kind: of, name, url }: PausedTarget,
  { kind, fault, at }: { kind: 'target.failing' | 'target.paused'; fault: DeliveryFault; at: Date },
): Promise<void> => {
  const fields = { target: name, of, address: new URL(url).host, fault };
  await notifyRecipients(tx, { orgId, kind, fields, at }, await ownersOf(tx, { orgId, ownerId }));
};
