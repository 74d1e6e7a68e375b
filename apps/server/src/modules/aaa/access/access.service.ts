import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { type Decision, decideAccess } from '../aaa.rules.ts';
import { type FoundAccessSim, findAccessSims, type RejectRow } from './access.queries.ts';
import { startAccessNotes } from './access-notes.ts';
import { rememberCountries } from './countries.ts';

export interface AccessQuestion {
  /** As returned by `identityOf`: `imsi:…` or `any:…`. */
  identity: string | undefined;
  apn: string | undefined;
  /** The visited network (mcc * 1000 + mnc); undefined if the gateway does not report it. */
  plmn: number | undefined;
  clientId: number;
}

export interface AccessService {
  /** @throws Error if the database can't be queried; the request should then be left unanswered */
  decide(question: AccessQuestion): Promise<Decision>;
  /** Notes a rejection for the operator; beyond a maximum number they are only counted. */
  note(reject: Omit<RejectRow, 'at'>): void;
  stop(): Promise<void>;
}

const questionsAtOnce = 500;

interface Waiting {
  identity: string;
  resolve: (sim: FoundAccessSim | undefined) => void;
  reject: (error: Error) => void;
}

/** Decides Access-Requests. Concurrent requests are looked up together; consequences are written a little later. */
export const startAccess = (options: { pool: pg.Pool; clock: Clock; log: Log }): AccessService => {
  const { pool, clock } = options;
  const notes = startAccessNotes(options);
  let waiting: Waiting[] = [];

  const lookUp = async () => {
    const asked = waiting.slice(0, questionsAtOnce);
    waiting = waiting.slice(questionsAtOnce);
    if (waiting.length > 0) setImmediate(() => void lookUp());
    try {
      const sims = await findByIdentity(
        pool,
        asked.map(({ identity }) => identity),
      );
      for (const { identity, resolve } of asked) resolve(sims.get(identity));
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  };
  const find = (identity: string) =>
    new Promise<FoundAccessSim | undefined>((resolve, reject) => {
      waiting.push({ identity, resolve, reject });
      if (waiting.length === 1) setImmediate(() => void lookUp());
    });
  const countryOf = rememberCountries(pool, clock);
  /** Queried only for SIMs whose bundle restricts countries. */
  const countryFor = async (sim: FoundAccessSim | undefined, plmn: number | undefined) =>
    plmn === undefined || !sim?.coverageCountries?.length ? null : countryOf(plmn);

  return {
    async decide({ identity, apn, plmn, clientId }) {
      const sim = identity === undefined ? undefined : await find(identity);
      const decision: Decision =
        identity === undefined
          ? { accept: false, reason: 'identity-missing' }
          : decideAccess(sim, { apn, at: clock.now(), country: await countryFor(sim, plmn) });
      if (!decision.accept) {
        const { reason } = decision;
        notes.refused({ clientId, simId: sim?.simId ?? null, identity: identity ?? null, reason, apn, plmn });
      } else if (sim) notes.accepted(sim.simId, decision.rateKbps);
      return decision;
    },
    note: notes.turnedAway,
    stop: notes.stop,
  };
};

const findByIdentity = async (
  pool: pg.Pool,
  identities: readonly string[],
): Promise<Map<string, FoundAccessSim>> => {
  const numbers = identities.map((identity) => identity.slice(identity.indexOf(':') + 1));
  const sims = await findAccessSims(pool, numbers, numbers);
  const found = new Map<string, FoundAccessSim>();
  for (const sim of sims) if (sim.msisdn) found.set(`any:${sim.msisdn}`, sim);
  // An IMSI takes precedence over an MSISDN with the same digits.
  for (const sim of sims) found.set(`any:${sim.imsi}`, sim).set(`imsi:${sim.imsi}`, sim);
  return found;
};
