import type { SimEventReason } from '@simcube/contract/sim';
import { errorCause } from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type NewSimEvent, recordSimEvents, simEvent } from '../../sim/index.ts';
import { factsByOrganisation, requestsGivenUp } from '../aaa.events.ts';
import { closeLostSession } from '../sessions/close-sessions.service.ts';
import type { ControlOrder } from './control.job.ts';
import { confirmRate } from './control.queries.ts';
import { type ControlOutcome, requestOf } from './control.requests.ts';
import type { Measure } from './control.rules.ts';
import { type DueMeasure, findDue, findSessions } from './sessions.views.ts';
import { type RequestTiming, SilentGateways } from './silent-gateways.ts';

export interface ControlOptions {
  pool: pg.Pool;
  vault: Vault;
  clock: Clock;
  /** Replaces the usual time to wait for a gateway's reply. */
  timing?: RequestTiming;
}

export interface Notes {
  /** Whether failures also become events of the SIM; repeated failures don't. */
  failures: boolean;
}

export interface Control {
  /**
   * Sends the Disconnect- and CoA-Requests of an order and records the replies as events of the SIM. What is due is
   * read from the SIM's state each time, so an outdated order does nothing and a repeated one is harmless: for a
   * session that is already gone the gateway replies with 503.
   */
  carryOut(order: ControlOrder, notes: Notes): Promise<ControlOutcome[]>;
}

/**
 * A session that begins while others are being ended is found in the next round; there can't be more, because none is
 * accepted.
 */
const roundsMost = 3;

export const createControl = (options: ControlOptions): Control => {
  const { pool, clock } = options;
  const silent = new SilentGateways(clock, options.timing);

  const carryOutAll = async (due: readonly DueMeasure[], order: ControlOrder, notes: Notes) => {
    const carriedOut = await Promise.all(
      due.map(async ({ session, measure }) => {
        const outcome = await requestOf(options, silent, { session, measure });
        if (outcome.errorCause === errorCause.sessionContextNotFound) await closeLostSession(pool, session);
        return { session, measure, outcome };
      }),
    );
    const at = clock.now();
    const noted = carriedOut.filter(({ outcome }) => outcome.isDone || notes.failures);
    await recordSimEvents(
      pool,
      noted.map((one) => eventOf(one, order, at)),
    );
    await confirmRates(pool, carriedOut);
    return carriedOut;
  };

  return {
    async carryOut(order, notes) {
      const outcomes = new Map<number, ControlOutcome>();
      for (let round = 0; round < roundsMost; round += 1) {
        const found = await dueBy(pool, order, clock.now());
        const due = found.filter(({ session }) => !outcomes.has(session.sessionKey));
        if (due.length === 0) break;
        const carriedOut = await carryOutAll(due, order, notes);
        for (const { session, outcome } of carriedOut) outcomes.set(session.sessionKey, outcome);
      }
      return [...outcomes.values()];
    },
  };
};

/** What an order requires now. */
const dueBy = async (
  sql: Sql,
  { simId, reason, sessionKeys }: ControlOrder,
  now: Date,
): Promise<DueMeasure[]> => {
  if (!sessionKeys) return findDue(sql, [simId], now);
  const sessions = await findSessions(sql, simId, sessionKeys);
  return sessions.map((session) => ({ session, measure: { action: 'disconnect', reason } }));
};

interface CarriedOut extends DueMeasure {
  outcome: ControlOutcome;
}

const eventOf = ({ session, measure, outcome }: CarriedOut, order: ControlOrder, at: Date): NewSimEvent => {
  const facts = {
    session: session.sessionId,
    gateway: outcome.gateway?.name ?? null,
    result: outcome.result,
    error_cause: outcome.errorCause,
    reason: reasonOf(measure, order),
  };
  const content =
    measure.action === 'disconnect'
      ? simEvent('network-disconnect', facts)
      : simEvent('network-coa', { ...facts, rate_kbps: measure.rateKbps });
  return { simId: session.simId, orgId: session.orgId, at, ...content };
};

const reasonOf = (measure: Measure, order: ControlOrder): SimEventReason =>
  measure.action === 'disconnect' ? measure.reason : order.reason;

/** Stores a SIM's rate if all of its open sessions have the same one. */
const confirmRates = async (sql: Sql, carriedOut: readonly CarriedOut[]): Promise<void> => {
  const rates = carriedOut.flatMap(({ session: { simId }, measure, outcome }) =>
    measure.action === 'rate' ? [{ simId, rateKbps: measure.rateKbps, outcome }] : [],
  );
  const [one] = rates;
  if (!one || rates.some(({ outcome }) => outcome.result !== 'ack')) return;
  await confirmRate(sql, one.simId, one.rateKbps);
};

/**
 * Called after the last attempt: records an event of the SIM for each session with something still due, in the
 * caller's transaction.
 */
export const giveUp = async (
  tx: Sql,
  order: ControlOrder,
  { attempts, at }: { attempts: number; at: Date },
): Promise<void> => {
  const due = await dueBy(tx, order, at);
  const events = due.map(({ session, measure }) => {
    const facts = {
      session: session.sessionId,
      gateway: session.gateway,
      attempts,
      reason: reasonOf(measure, order),
    };
    const content =
      measure.action === 'disconnect'
        ? simEvent('disconnect-failed', facts)
        : simEvent('rate-change-failed', { ...facts, rate_kbps: measure.rateKbps });
    return { simId: session.simId, orgId: session.orgId, at, ...content };
  });
  await recordSimEvents(tx, events);
  const facts = factsByOrganisation(
    due.map(({ session, measure }) => ({
      org_id: session.orgId,
      iccid: session.iccid,
      action: measure.action,
    })),
    (part) => ({ at: at.toISOString(), sims: part.map(({ iccid, action }) => ({ iccid, action })) }),
  );
  await emitMany(tx, requestsGivenUp, facts);
};
