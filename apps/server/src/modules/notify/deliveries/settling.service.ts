import type { DeliveryFault } from '@simcube/contract/notify';
import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findTarget, type PausedTarget, pauseTarget } from '../targets/targets.queries.ts';
import { failuresUntilProbes } from '../targets/targets.rules.ts';
import type { Outcome } from './channels.ts';
import {
  type ClaimedDelivery,
  clearLanes,
  countFailures,
  type FailingLane,
  giveUpLane,
  listMoved,
  markTold,
  type Settled,
  scheduleProbe,
  settleDeliveries,
} from './deliveries.queries.ts';
import { givenUpBefore, nextTry, probePause } from './deliveries.rules.ts';
import { insertExchanges } from './exchanges.queries.ts';
import { notifyRecipients } from './notifications.service.ts';
import { ownersOf } from './recipients.views.ts';

/** A finished attempt. */
export interface Attempt {
  delivery: Pick<ClaimedDelivery, 'id' | 'attempts' | 'lane' | 'createdAt' | 'resentAt' | 'attemptsBefore'>;
  outcome: Outcome;
  durationMs: number;
}

const dayMs = 24 * 3_600_000;

/**
 * Writes the results of attempts, and the consequences for their lanes: probes, pauses, and notifications of
 * owners.
 */
export const settle = async (tx: Sql, ended: readonly Attempt[], now: Date): Promise<void> => {
  const attempts = await judgedNow(tx, ended);
  await settleDeliveries(
    tx,
    attempts.map((attempt) => settledOf(attempt, now)),
  );
  await insertExchanges(tx, attempts, now);
  const lanes = lanesOf(attempts);
  const working = [...lanes].filter(([, { works }]) => works).map(([lane]) => lane);
  if (working.length > 0) await clearLanes(tx, working);
  // Lanes are locked in one order everywhere, so that two processes that settle the same ones don't deadlock.
  for (const [lane, { works, failures, last, gone }] of [...lanes].sort(([a], [b]) => a - b)) {
    if (gone) await pause(tx, { lane, why: 'gone', fault: 'gone', at: now });
    else if (!works && last) await failed(tx, { lane, failures, fault: last, now });
  }
};

/**
 * A target's address may have changed since an attempt began: the former address's response says nothing about
 * the new one, to which the delivery is sent next.
 */
const judgedNow = async (tx: Sql, attempts: readonly Attempt[]): Promise<readonly Attempt[]> => {
  const failed = attempts.flatMap(({ delivery, outcome }) => (outcome.delivered ? [] : [delivery.id]));
  if (failed.length === 0) return attempts;
  const moved = await listMoved(tx, failed);
  if (moved.size === 0) return attempts;
  return attempts.map(({ outcome, ...attempt }) => {
    if (outcome.delivered || !moved.has(attempt.delivery.id)) return { ...attempt, outcome };
    const { final: _, ...again } = outcome;
    return { ...attempt, outcome: { ...again, alone: true } };
  });
};

const settledOf = ({ delivery, outcome, durationMs }: Attempt, now: Date): Settled => {
  const { id, attempts } = delivery;
  if (outcome.delivered) {
    return { id, attempts, state: 1, fault: null, status: outcome.status ?? null, durationMs, dueAt: null };
  }
  const { fault, status = null, askedMs } = outcome;
  const dueAt =
    fault === 'interrupted' ? now : nextTry(seriesOf(delivery), { now, random: Math.random(), askedMs });
  const again = outcome.final ? undefined : dueAt;
  return { id, attempts, state: again ? 0 : 2, fault, status, durationMs, dueAt: again ?? null };
};

/** The attempts and the start of the current series: since it was created, or sent again. */
const seriesOf = ({ attempts, attemptsBefore, createdAt, resentAt }: Attempt['delivery']) => ({
  attempts: attempts - attemptsBefore,
  createdAt: resentAt ?? createdAt,
});

interface LaneResult {
  /** A delivery succeeded, or its receiver responded, so the lane works. */
  works: boolean;
  failures: number;
  last: DeliveryFault | undefined;
  gone: boolean;
}

/** Replies of the mail server about an address or a mail. */
const answers: ReadonlySet<DeliveryFault> = new Set(['refused', 'content']);

const lanesOf = (attempts: readonly Attempt[]): Map<number, LaneResult> => {
  const lanes = new Map<number, LaneResult>();
  for (const { delivery, outcome } of attempts) {
    const lane = lanes.get(delivery.lane) ?? { works: false, failures: 0, last: undefined, gone: false };
    lanes.set(delivery.lane, lane);
    if (outcome.delivered || answers.has(outcome.fault)) lane.works = true;
    else if (!outcome.alone) {
      lane.failures += 1;
      lane.last = outcome.fault;
      lane.gone ||= outcome.fault === 'gone';
    }
  }
  return lanes;
};

interface Failed {
  lane: number;
  failures: number;
  fault: DeliveryFault;
  now: Date;
}

const failed = async (tx: Sql, { lane, failures, fault, now }: Failed): Promise<void> => {
  const state = await countFailures(tx, { lane, failures, at: now });
  if (!state || state.failures < failuresUntilProbes) return;
  await scheduleProbe(tx, lane, new Date(now.getTime() + probePause(state.failures, Math.random())));
  if (state.failingSince <= givenUpBefore(now)) await pause(tx, { lane, why: 'failing', fault, at: now });
  else if (isNews(state, now)) await tellFailing(tx, { lane, fault, at: now });
};

/**
 * An owner is notified once a day at most: a target that alternates between failing and working would fill a
 * mailbox.
 */
const isNews = ({ toldAt }: FailingLane, now: Date): boolean =>
  toldAt === null || now.getTime() - toldAt.getTime() >= dayMs;

interface About {
  lane: number;
  fault: DeliveryFault;
  at: Date;
}

const tellFailing = async (tx: Sql, { lane, fault, at }: About): Promise<void> => {
  const target = await findTarget(tx, lane);
  if (!target) return;
  await markTold(tx, lane, at);
  await tellOwners(tx, target, { kind: 'target.failing', fault, at });
};

/** Nothing is sent to it until somebody resumes it. */
const pause = async (
  tx: Sql,
  { lane, why, fault, at }: About & { why: 'failing' | 'gone' },
): Promise<void> => {
  const target = await pauseTarget(tx, { id: lane, why, at });
  if (!target) return;
  await giveUpLane(tx, lane);
  await tellOwners(tx, target, { kind: 'target.paused', fault, at });
  await recordAudit(tx, {
    orgId: target.orgId,
    actor: system,
    action: target.kind === 'webhook' ? 'webhook.paused' : 'api-target.paused',
    at,
    subject: { kind: target.kind === 'webhook' ? 'webhook' : 'group', id: target.ref, name: target.name },
    before: { paused: null },
    after: { paused: why },
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

const tellOwners = async (
  tx: Sql,
  { orgId, ownerId, kind: of, name, url }: PausedTarget,
  { kind, fault, at }: { kind: 'target.failing' | 'target.paused'; fault: DeliveryFault; at: Date },
): Promise<void> => {
  const fields = { target: name, of, address: new URL(url).host, fault };
  await notifyRecipients(tx, { orgId, kind, fields, at }, await ownersOf(tx, { orgId, ownerId }));
};
