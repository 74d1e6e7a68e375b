import type { ErrorCode } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { Failure } from '../../../platform/http/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { listRefusals } from '../../task/index.ts';
import { readCyclesAt } from '../../usage/index.ts';
import { isForFiredCycle, isNotification, type OperationAction } from '../engine/actions.rules.ts';
import { countedCycle } from '../engine/counted.service.ts';
import {
  type ActionOrder,
  nextOperation,
  performActionJob,
  queueOrders,
} from '../engine/perform-action.job.ts';
import { periodKey } from '../engine/period.rules.ts';
import { notifyFailure, sendNotification } from './notifications.service.ts';
import { orderOperation } from './operations.service.ts';
import {
  type ActingRule,
  clearOrdered,
  endActions,
  findActingRule,
  listOrdered,
  lockWaitingFirings,
  markOrdered,
  type OrderedAction,
  type WaitingFiring,
} from './perform-action.queries.ts';

/**
 * Does one action of a rule for its firings. Its writes and its completion are one transaction. Does nothing if the
 * rule has been switched off.
 */
export const performAction = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  order: ActionOrder,
): Promise<void> => {
  try {
    await inTransaction(pool, (tx) => performActionIn(tx, order, clock.now()));
  } catch (error) {
    // A refusal by the product's own rules would be repeated, so it is not retried.
    if (!(error instanceof Failure) || error.cause !== undefined) throw error;
    await inTransaction(pool, (tx) => giveUp(tx, order, { code: error.code, now: clock.now() }));
  }
};

const performActionIn = async (tx: Sql, order: ActionOrder, now: Date): Promise<void> => {
  const rule = await findActingRule(tx, order);
  const waiting = await lockWaitingFirings(tx, order);
  const action = rule?.definition.actions[order.position];
  // A rule that is gone was deleted with its organisation, and its firings are too.
  if (!rule || waiting.length === 0) return;
  if (!action || !rule.enabled) return endAndContinue(tx, { rule, order, waiting, code: 'CB-05-0014', now });
  if (!isNotification(action.kind)) {
    return operate(tx, { rule, action: action as OperationAction, waiting, order, now });
  }
  await sendNotification(tx, { rule, position: order.position, firings: waiting, now });
};

const endFirings = (
  tx: Sql,
  { position }: ActionOrder,
  firings: readonly WaitingFiring[],
  { code, now }: { code: ErrorCode | null; now: Date },
): Promise<void> =>
  endActions(
    tx,
    firings.map(({ id }) => ({ firingId: id, position, code })),
    now,
  );

/** Refuses the following operations too; otherwise the run would wait for them forever. */
const endAndContinue = async (
  tx: Sql,
  {
    rule,
    order,
    waiting,
    code,
    now,
  }: {
    rule: ActingRule;
    order: ActionOrder;
    waiting: readonly WaitingFiring[];
    code: ErrorCode;
    now: Date;
  },
): Promise<void> => {
  await endFirings(tx, order, waiting, { code, now });
  await queueNextOperation(tx, rule, { ...order, firingIds: waiting.map(({ id }) => id) });
};

/**
 * Refuses SIMs that have changed hands, because they belong to another organisation, and those whose cycle is over if
 * the operation is meant for it: it would affect the next one.
 */
const operate = async (
  tx: Sql,
  {
    rule,
    action,
    waiting,
    order,
    now,
  }: {
    rule: ActingRule;
    action: OperationAction;
    waiting: readonly WaitingFiring[];
    order: ActionOrder;
    now: Date;
  },
): Promise<void> => {
  const own = waiting.filter(({ isOwn }) => isOwn);
  const foreign = waiting.filter(({ isOwn }) => !isOwn);
  if (foreign.length > 0)
    await endAndContinue(tx, { rule, order, waiting: foreign, code: 'CB-01-0012', now });
  const inCycle = isForFiredCycle(rule.definition.trigger, action.kind);
  const isOver = inCycle ? await readOverCycles(tx, own, now) : () => false;
  const [late, due] = [own.filter(isOver), own.filter((firing) => !isOver(firing))];
  const [first] = late;
  if (first) {
    const code = 'CB-05-0019';
    await endAndContinue(tx, { rule, order, waiting: late, code, now });
    await notifyFailure(tx, { rule, at: first.happenedAt, sims: late.length, code, now });
  }
  if (due.length === 0) return;
  // If a rule fired for a SIM twice, the task has one item for it.
  const sims = [...new Map(due.map((firing) => [firing.simId, firing])).values()];
  const task = await orderOperation(tx, { rule, action, sims, inCycle, at: now });
  await markOrdered(tx, { position: order.position, firingIds: due.map(({ id }) => id), task });
};

/** @returns whether the cycle for which a rule fired is no longer the SIM's running one */
const readOverCycles = async (
  tx: Sql,
  firings: readonly WaitingFiring[],
  now: Date,
): Promise<(firing: WaitingFiring) => boolean> => {
  const at = now.getTime();
  const cycleAt = await readCyclesAt(tx, { simIds: firings.map(({ simId }) => simId), after: at });
  return ({ simId, key }) => {
    const cycle = countedCycle(cycleAt, simId, at);
    return cycle === null || periodKey('cycle', cycle) !== key;
  };
};

/** An action failed permanently: the run history records the reason, and the rule's owner is notified. */
export const giveUp = async (
  tx: Sql,
  order: ActionOrder,
  { code, now }: { code: ErrorCode; now: Date },
): Promise<void> => {
  const rule = await findActingRule(tx, order);
  const waiting = await lockWaitingFirings(tx, order);
  const [first] = waiting;
  if (!rule || !first) return;
  await endAndContinue(tx, { rule, order, waiting, code, now });
  await notifyFailure(tx, { rule, at: first.happenedAt, sims: waiting.length, code, now });
};

/** How often an operation is ordered again for SIMs that were in another task. */
const maxBusyRetries = 6;
const busyPauseMs = 5_000;

/**
 * Applies the result of a task that a rule ordered: refused SIMs are failed actions, except SIMs that were in another
 * task, which are ordered again. Then the rule's next operation follows.
 */
export const settleTask = async (
  tx: Sql,
  { reference, now }: { reference: string; now: Date },
): Promise<void> => {
  const ordered = await listOrdered(tx, reference);
  const [first] = ordered;
  const rule = first && (await findActingRule(tx, first));
  if (!first || !rule) return;
  const { ruleId, version, position } = first;
  const refusals = await listRefusals(tx, reference);
  const isBusy = ({ simId, tries }: OrderedAction) =>
    refusals.get(simId) === 'CB-01-0011' && tries < maxBusyRetries;
  const again = ordered.filter(isBusy).map(({ firingId }) => firingId);
  const ended = ordered.filter((one) => !isBusy(one));
  await clearOrdered(tx, { position, firingIds: again });
  const pause = new Date(now.getTime() + busyPauseMs * 2 ** first.tries);
  if (again.length > 0)
    await enqueue(tx, performActionJob, { ruleId, version, position, firingIds: again }, { runAt: pause });
  const ends = ended.map(({ firingId, simId }) => ({
    firingId,
    position,
    code: refusals.get(simId) ?? null,
  }));
  await endActions(tx, ends, now);
  const [failed, ...others] = ends.filter(({ code }) => code !== null);
  if (failed?.code) {
    await notifyFailure(tx, { rule, at: first.happenedAt, sims: others.length + 1, code: failed.code, now });
  }
  await queueNextOperation(tx, rule, {
    ruleId,
    version,
    position,
    firingIds: ended.map(({ firingId }) => firingId),
  });
};

/** Queues the next operation, whatever the result of the previous one. Nothing follows a notification. */
const queueNextOperation = async (tx: Sql, { definition }: ActingRule, order: ActionOrder): Promise<void> => {
  const action = definition.actions[order.position];
  if (action && isNotification(action.kind)) return;
  const position = nextOperation(definition.actions, order.position);
  if (position !== undefined) await queueOrders(tx, [{ ...order, position }]);
};
