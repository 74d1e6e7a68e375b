import type { SimEventReason } from '@simcube/contract/sim';
import { errorCause } from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type NewSimEvent, recordSimEvents, reportSimEvents, simEvent } from '../../sim/index.ts';
import { changesPerFact, requestsGivenUp } from '../aaa.events.ts';
import { mixedRates } from '../aaa.rules.ts';
import { closeLostSession } from '../sessions/close-sessions.service.ts';
import { AcknowledgedEnds } from './acknowledged-ends.ts';
import { type ControlOrder, enqueueRateCheck } from './control.job.ts';
import { confirmRate, doubtRate } from './control.queries.ts';
import { type ControlOutcome, sendControlRequest } from './control.requests.ts';
import type { Enforcement } from './control.rules.ts';
import { type DueEnforcement, findDue, findSessions } from './sessions.views.ts';
import { type RequestTiming, SilentGateways } from './silent-gateways.ts';

export interface ControlOptions {
  pool: pg.Pool;
  vault: Vault;
  clock: Clock;
  /** Replaces the usual time to wait for a gateway's reply. */
  timing?: RequestTiming;
}

export interface EventOptions {
  /** Whether failures also become events of the SIM; repeated failures don't. */
  includeFailures: boolean;
}

export interface Control {
  /**
   * Sends the Disconnect- and CoA-Requests of an order and records the replies as events of the SIM. What is due is
   * read from the SIM's state each time, so an outdated order does nothing and a repeated one is harmless: for a
   * session that is already gone the gateway replies with 503.
   */
  execute(order: ControlOrder, eventOptions: EventOptions): Promise<ControlOutcome[]>;
  /** Whether a request has to wait, because its gateway has just acknowledged it. */
  isAwaited(due: DueEnforcement): boolean;
  /**
   * Called after the last attempt: records an event of the SIM for each session with something still due, in the
   * caller's transaction.
   */
  recordGivenUp(tx: Sql, order: ControlOrder, attempts: number): Promise<void>;
}

/**
 * A session that begins while others are being ended is found in the next round; there can't be more, because none is
 * accepted.
 */
const maxRounds = 3;

export const createControl = (options: ControlOptions): Control => {
  const { pool, clock } = options;
  const silentGateways = new SilentGateways(clock, options.timing);
  const acknowledgedEnds = new AcknowledgedEnds(clock);

  const findRequired = async (sql: Sql, order: ControlOrder): Promise<DueEnforcement[]> =>
    (await findDueForOrder(sql, order, clock.now())).filter((one) => !acknowledgedEnds.isAwaited(one));

  const request = async (one: DueEnforcement, order: CheckedOrder): Promise<ExecutedEnforcement> => {
    const isStillDue = async () =>
      (await findDueForOrder(pool, order, clock.now())).some((due) => isSame(due, one));
    const outcome = await sendControlRequest(options, silentGateways, { ...one, isStillDue });
    const at = clock.now();
    if (outcome.errorCause === errorCause.sessionContextNotFound)
      await closeLostSession(pool, one.session, at);
    const isDone = outcome.isDone || keepsRate(one, outcome, order);
    return { ...one, outcome: { ...outcome, isDone }, at };
  };

  const isEvent = ({ outcome, ...one }: ExecutedEnforcement, { includeFailures }: EventOptions): boolean => {
    const { isDone, isWithdrawn = false } = outcome;
    if (isAcknowledgedEnd(one, outcome)) return acknowledgedEnds.isNew(one);
    return !isWithdrawn && (isDone || includeFailures);
  };

  const executeAll = async (
    due: readonly DueEnforcement[],
    order: CheckedOrder,
    eventOptions: EventOptions,
  ) => {
    const executed: ExecutedEnforcement[] = [];
    const record = async (one: ExecutedEnforcement) => {
      executed.push(one);
      const isLast = executed.length === due.length;
      const events = isEvent(one, eventOptions) ? [{ ...eventOf(one, order), iccid: one.session.iccid }] : [];
      await inTransaction(pool, async (tx) => {
        await recordSimEvents(tx, events);
        await confirmRates(tx, order, { executed, isLast, at: one.at });
        await reportSimEvents(tx, events, one.at);
      });
      if (isAcknowledgedEnd(one, one.outcome)) acknowledgedEnds.add(one);
    };
    // Each when it settles, not when the slowest does; one after the other, because the last one confirms the rate.
    let recorded = Promise.resolve();
    await Promise.all(
      due.map(async (one) => {
        const settled = await request(one, order);
        recorded = recorded.then(() => record(settled));
        await recorded;
      }),
    );
    return executed;
  };

  return {
    async execute(order, eventOptions) {
      const { simId, confirmedKeys } = order;
      const doubtedKbps = confirmedKeys && (await doubtRate(pool, simId, confirmedKeys));
      const outcomes = new Map<number, ControlOutcome>();
      for (let round = 0; round < maxRounds; round += 1) {
        const required = await findRequired(pool, order);
        const due = required.filter(({ session }) => !outcomes.has(session.sessionKey));
        if (due.length === 0) break;
        const executed = await executeAll(due, { ...order, doubtedKbps }, eventOptions);
        for (const { session, outcome } of executed) outcomes.set(session.sessionKey, outcome);
      }
      return [...outcomes.values()];
    },
    isAwaited: (due) => acknowledgedEnds.isAwaited(due),
    recordGivenUp: async (tx, order, attempts) =>
      recordGivenUp(tx, await findRequired(tx, order), { order, attempts, at: clock.now() }),
  };
};

/** An order; in the check of a changed rate with the rate that was confirmed until it began. */
type CheckedOrder = ControlOrder & { doubtedKbps: number | null | undefined };

/**
 * Whether a session whose gateway does not answer in such a check is taken to have the rate: it was probably accepted
 * with it, and all other sessions of its SIM would be sent it again every minute for as long as the gateway is silent.
 */
const keepsRate = (
  { enforcement }: DueEnforcement,
  { result }: ControlOutcome,
  { doubtedKbps }: CheckedOrder,
): boolean =>
  doubtedKbps !== undefined && rateIn(enforcement) === doubtedKbps && result !== 'ack' && result !== 'nak';

/** What an order requires now. */
const findDueForOrder = async (
  sql: Sql,
  { simId, reason, sessionKeys }: ControlOrder,
  now: Date,
): Promise<DueEnforcement[]> => {
  if (!sessionKeys) return findDue(sql, [simId], now);
  const sessions = await findSessions(sql, simId, sessionKeys);
  return sessions.map((session) => ({ session, enforcement: { action: 'disconnect', reason } }));
};

const isSame = (a: DueEnforcement, b: DueEnforcement): boolean =>
  a.session.sessionKey === b.session.sessionKey && rateIn(a.enforcement) === rateIn(b.enforcement);

const rateIn = (enforcement: Enforcement): number | null | undefined =>
  enforcement.action === 'rate' ? enforcement.rateKbps : undefined;

const isAcknowledgedEnd = ({ enforcement }: DueEnforcement, { result }: ControlOutcome): boolean =>
  enforcement.action === 'disconnect' && result === 'ack';

interface ExecutedEnforcement extends DueEnforcement {
  outcome: ControlOutcome;
  /** When it was answered, or given up. */
  at: Date;
}

const eventOf = (
  { session, enforcement, outcome, at }: ExecutedEnforcement,
  order: ControlOrder,
): NewSimEvent => {
  const facts = {
    session: session.sessionId,
    gateway: outcome.gateway?.name ?? null,
    result: outcome.result,
    error_cause: outcome.errorCause,
    reason: reasonOf(enforcement, order),
  };
  const content =
    enforcement.action === 'disconnect'
      ? simEvent('network-disconnect', facts)
      : simEvent('network-coa', { ...facts, rate_kbps: enforcement.rateKbps });
  return { simId: session.simId, orgId: session.orgId, at, ...content };
};

const reasonOf = (enforcement: Enforcement, order: ControlOrder): SimEventReason =>
  enforcement.action === 'disconnect' ? enforcement.reason : order.reason;

/**
 * Stores a SIM's rate if all of its open sessions have the same one. If only some of them have the new one, or may
 * have it because a reply was lost, they may differ: whatever rate applies next is requested again.
 */
const confirmRates = async (
  tx: Sql,
  { simId, reason, confirmedKeys }: ControlOrder,
  { executed, isLast, at }: { executed: readonly ExecutedEnforcement[]; isLast: boolean; at: Date },
): Promise<void> => {
  const rates = executed.flatMap(({ session: { sessionKey }, enforcement, outcome }) =>
    enforcement.action === 'rate' && outcome.errorCause !== errorCause.sessionContextNotFound
      ? [{ sessionKey, rateKbps: enforcement.rateKbps, outcome }]
      : [],
  );
  const [one] = rates;
  if (!one || rates.every(({ outcome }) => !mayHaveApplied(outcome))) return;
  const isConfirmed =
    isLast && rates.every(({ outcome: { isDone, isWithdrawn = false } }) => isDone && !isWithdrawn);
  await confirmRate(tx, simId, isConfirmed ? one.rateKbps : mixedRates);
  // Once for each change: a device that reconnects every minute would get requests forever.
  if (!isConfirmed || confirmedKeys) return;
  const keys = rates.map(({ sessionKey }) => sessionKey);
  await enqueueRateCheck(tx, { simId, reason, confirmedKeys: keys }, at);
};

const mayHaveApplied = ({ isDone, result, failure }: ControlOutcome): boolean =>
  isDone || (result === 'timeout' && failure === undefined);

const recordGivenUp = async (
  tx: Sql,
  due: readonly DueEnforcement[],
  { order, attempts, at }: { order: ControlOrder; attempts: number; at: Date },
): Promise<void> => {
  const events = due.map(({ session, enforcement }) => {
    const facts = {
      session: session.sessionId,
      gateway: session.gateway,
      attempts,
      reason: reasonOf(enforcement, order),
    };
    const content =
      enforcement.action === 'disconnect'
        ? simEvent('disconnect-failed', facts)
        : simEvent('rate-change-failed', { ...facts, rate_kbps: enforcement.rateKbps });
    return { simId: session.simId, orgId: session.orgId, at, ...content };
  });
  await recordSimEvents(tx, events);
  const byOrg = groupBy(due, ({ session }) => session.orgId);
  const facts = factsByOrganisation(byOrg, changesPerFact, (part) => ({
    at: at.toISOString(),
    sims: part.map(({ session, enforcement }) => ({ iccid: session.iccid, action: enforcement.action })),
  }));
  await emitMany(tx, requestsGivenUp, facts);
};
