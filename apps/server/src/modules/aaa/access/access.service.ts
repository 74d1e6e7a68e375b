import type pg from 'pg';
import { type Decision, decideAccess } from '../aaa.rules.ts';
import type { Gateway } from '../gateways/clients.ts';
import { candidatesOf, firstFound } from '../identities.rules.ts';
import type { UnknownSimRecorder } from '../unknown/unknown-sims.ts';
import { type FoundAccessSim, findAccessSims } from './access.queries.ts';
import { type AccessRecorderOptions, startAccessRecorder } from './access-recorder.ts';
import { createCountryCache } from './countries.ts';

export interface AccessRequest {
  /** As returned by `identityOf`. */
  identity: string | undefined;
  apn: string | undefined;
  /** The visited network (mcc * 1000 + mnc); undefined if the gateway does not report it. */
  plmn: number | undefined;
  gateway: Pick<Gateway, 'id' | 'name'>;
}

/** The decision on a request, with the IMSI of the SIM that was found. */
export type Answer = Decision & { imsi: string | undefined };

export interface AccessService {
  /** @throws Error if the database can't be queried; the request should then be left unanswered */
  decide(request: AccessRequest): Promise<Answer>;
  stop(): Promise<void>;
}

const lookupBatchSize = 500;

interface PendingLookup {
  identity: string;
  resolve: (sim: FoundAccessSim | undefined) => void;
  reject: (error: Error) => void;
}

/** Decides Access-Requests. Concurrent requests are looked up together; consequences are written a little later. */
export const startAccess = (
  options: AccessRecorderOptions & { unknown: UnknownSimRecorder },
): AccessService => {
  const { pool, clock, unknown } = options;
  const recorder = startAccessRecorder(options);
  let pending: PendingLookup[] = [];

  const lookUp = async () => {
    const batch = pending.slice(0, lookupBatchSize);
    pending = pending.slice(lookupBatchSize);
    if (pending.length > 0) setImmediate(() => void lookUp());
    try {
      const sims = await findByIdentity(
        pool,
        batch.map(({ identity }) => identity),
      );
      for (const { identity, resolve } of batch) resolve(firstFound(identity, sims));
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    }
  };
  const find = (identity: string) =>
    new Promise<FoundAccessSim | undefined>((resolve, reject) => {
      pending.push({ identity, resolve, reject });
      if (pending.length === 1) setImmediate(() => void lookUp());
    });
  const countryOf = createCountryCache(pool, clock);
  /** Queried only for SIMs whose bundle restricts countries. */
  const countryFor = async (sim: FoundAccessSim, plmn: number | undefined) =>
    plmn === undefined || !sim.coverageCountries?.length ? null : countryOf(plmn);

  return {
    async decide({ identity, apn, plmn, gateway }) {
      const sim = identity === undefined ? undefined : await find(identity);
      if (!sim || identity === undefined) {
        const reason = identity === undefined ? 'identity-missing' : 'unknown-sim';
        unknown.add({ identity: identity ?? '', gateway: gateway.name, reason: `access: ${reason}` });
        return { accept: false, reason, imsi: undefined };
      }
      const { simId, hasSession } = sim;
      const decision = decideAccess(sim, { apn, at: clock.now(), country: await countryFor(sim, plmn) });
      if (decision.accept) recorder.recordAccept({ simId, hasSession, rateKbps: decision.rateKbps });
      else {
        const { reason } = decision;
        recorder.recordRefusal({ clientId: gateway.id, simId, identity, reason, apn, plmn });
      }
      return { ...decision, imsi: sim.imsi };
    },
    stop: recorder.stop,
  };
};

const findByIdentity = async (
  pool: pg.Pool,
  identities: readonly string[],
): Promise<Map<string, FoundAccessSim>> => {
  const numbers = candidatesOf(identities).map((name) => name.slice(name.indexOf(':') + 1));
  const sims = await findAccessSims(pool, numbers, numbers);
  const byIdentity = new Map<string, FoundAccessSim>();
  for (const sim of sims) if (sim.msisdn) byIdentity.set(`any:${sim.msisdn}`, sim);
  // An IMSI takes precedence over an MSISDN with the same digits.
  for (const sim of sims) byIdentity.set(`any:${sim.imsi}`, sim).set(`imsi:${sim.imsi}`, sim);
  return byIdentity;
};
