import type { Sql } from '../../../platform/db/index.ts';
import { findSimStates, loadSessions, type WantedSession } from './load.queries.ts';
import { RecentMap } from './recent-map.ts';
import type { SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

/** How long a number may go on meaning the SIM that it was found to be, and how long nobody. */
const identityMs = 10 * 60_000;
const unknownMs = 5_000;
const unknownMost = 10_000;

/**
 * What a lane remembers of the SIMs it met, so that the usual update needs no read. Nothing is decided by it alone:
 * every write names the version it was decided on, and what turns out to be old is forgotten and read again.
 */
export class SimCache {
  readonly #sims: RecentMap<number, SimState>;
  readonly #ids: RecentMap<string, { simId: number; until: number }>;
  readonly #unknown = new Map<string, number>();

  constructor(size: number) {
    this.#sims = new RecentMap(size);
    this.#ids = new RecentMap(size);
  }

  /** The state of each update's SIM; undefined for those that nobody knows. Reads what is missing. */
  async load(
    sql: Sql,
    updates: readonly SessionUpdate[],
    run: { batch: number; now: number },
  ): Promise<(SimState | undefined)[]> {
    const missing = new Set<string>();
    for (const { identity } of updates) {
      if (!this.#find(identity, run.now) && !this.#isUnknown(identity, run.now)) missing.add(identity);
    }
    const fresh = missing.size > 0 ? await this.#read(sql, missing, run) : new Map<number, SimState>();
    const sims = updates.map(({ identity }) => this.#find(identity, run.now));
    const wanted: WantedSession[] = [];
    for (const [index, { sessionKey }] of updates.entries()) {
      const sim = sims[index];
      if (sim && !sim.sessions.has(sessionKey)) wanted.push({ sim, key: sessionKey });
    }
    if (fresh.size > 0 || wanted.length > 0) await loadSessions(sql, fresh, wanted);
    return sims;
  }

  forget(simIds: Iterable<number>): void {
    for (const simId of simIds) this.#sims.delete(simId);
  }

  async #read(sql: Sql, asked: ReadonlySet<string>, { batch, now }: { batch: number; now: number }) {
    const fresh = new Map<number, SimState>();
    for (const found of await findSimStates(sql, [...asked], batch)) {
      const known = fresh.get(found.sim.simId) ?? this.#sims.get(found.sim.simId);
      const sim = known ?? found.sim;
      if (!known) fresh.set(sim.simId, sim);
      this.#sims.set(sim.simId, sim);
      // Only under the name that gateways use for it: three names for each SIM would fill the memory of names.
      for (const identity of found.identities) {
        if (asked.has(identity)) this.#ids.set(identity, { simId: sim.simId, until: now + identityMs });
      }
    }
    for (const identity of asked) {
      if (!this.#find(identity, now)) this.#unknown.set(identity, now + unknownMs);
    }
    if (this.#unknown.size > unknownMost) this.#unknown.clear();
    return fresh;
  }

  #find(identity: string, now: number): SimState | undefined {
    const id = this.#ids.get(identity);
    return id && id.until > now ? this.#sims.get(id.simId) : undefined;
  }

  #isUnknown(identity: string, now: number): boolean {
    const until = this.#unknown.get(identity);
    if (until === undefined) return false;
    if (until > now) return true;
    this.#unknown.delete(identity);
    return false;
  }
}
