import type { Sql } from '../../../platform/db/index.ts';
import { RecentMap } from '../../../platform/recent/index.ts';
import { type CycleSpan, findClosedCycles } from '../../bundle/index.ts';
import { runningSince } from '../../usage/index.ts';
import type { Changes } from './changes.ts';
import { findSimStates } from './load.queries.ts';
import { type FoundSession, loadSessions, type WantedSession } from './load-sessions.queries.ts';
import type { SessionState, SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

export interface LoadedSims {
  /** The state of each update's SIM, in their order; undefined for unknown ones. */
  sims: (SimState | undefined)[];
  rivals: Rivals;
  /** By SIM: the closed cycles that hold late updates. */
  closed: ReadonlyMap<number, readonly CycleSpan[]>;
  /** Every SIM that the batch may change, each in one state object alone: what is written is read from that object. */
  states: Map<number, SimState>;
}

/** By address: open sessions there of SIMs other than the one that a session begins for. */
export type Rivals = Map<string, { sim: SimState; session: SessionState }[]>;

/** For which batch it is read. */
interface Reading {
  batch: number;
}

const noRivals: Rivals = new Map();

/** More than the batches can open that are on their way at once. */
const openedMost = 5_000;

/** How long a number is cached as the SIM it was resolved to, and how long as unknown. */
const identityMs = 10 * 60_000;
const unknownMs = 5_000;
const unknownMost = 10_000;

/** Whether a session may begin with it: one that is not known, or another under the id of one that is. */
const mayBegin = ({ sessions }: SimState, { sessionKey, status, timed, at }: SessionUpdate): boolean => {
  const known = sessions.get(sessionKey);
  return known === undefined || (status === 'start' && timed && at > known.updatedAt);
};

/**
 * What a lane remembers of the SIMs it met, so that the usual update needs no read. Nothing is decided by it alone:
 * every write names the version it was decided on, and what turns out to be old is forgotten and read again.
 */
export class SimCache {
  readonly #sims: RecentMap<number, SimState>;
  readonly #ids: RecentMap<string, { simId: number; until: number }>;
  readonly #unknown = new Map<string, number>();
  /** Sessions by address that were opened so lately that a read may have been too early to see them. */
  readonly #opened = new RecentMap<string, { sim: SimState; session: SessionState }>(openedMost);

  constructor(size: number) {
    this.#sims = new RecentMap(size);
    this.#ids = new RecentMap(size);
  }

  /** Reads what is missing of the updates' SIMs and sessions. */
  async load(
    sql: Sql,
    updates: readonly SessionUpdate[],
    run: Reading & { now: number },
  ): Promise<LoadedSims> {
    // Held from here on: a batch that fails meanwhile makes the cache forget, and a SIM that was forgotten must not pass
    // for an unknown one. Decisions check whether one of the states was evicted.
    const states = new Map<number, SimState>();
    const sims = updates.map(({ identity }) => this.#find(identity, run.now));
    const missing = new Set<string>();
    for (const [index, { identity }] of updates.entries()) {
      const sim = sims[index];
      if (sim) states.set(sim.simId, sim);
      else if (!this.#isUnknown(identity, run.now)) missing.add(identity);
    }
    try {
      if (missing.size > 0) {
        const read = await this.#read(sql, { asked: missing, states }, run);
        for (const [index, { identity }] of updates.entries()) sims[index] ??= read.get(identity);
      }
      const rivals = await this.#loadSessions(sql, { updates, sims, states }, run);
      return { sims, rivals, closed: await findClosedCycles(sql, lateOf(updates, sims)), states };
    } catch (error) {
      // Those that were just read are without their sessions.
      this.forget(freshOf(states, run).values());
      throw error;
    }
  }

  /** @returns open sessions of others at the addresses of new ones */
  async #loadSessions(
    sql: Sql,
    batch: Pick<LoadedSims, 'sims' | 'states'> & { updates: readonly SessionUpdate[] },
    run: Reading,
  ): Promise<Rivals> {
    const { updates, sims, states } = batch;
    const wanted: WantedSession[] = [];
    for (const [index, update] of updates.entries()) {
      const sim = sims[index];
      const { sessionKey: key, ip } = update;
      if (sim && mayBegin(sim, update)) wanted.push({ sim, key, ip });
    }
    const fresh = freshOf(states, run);
    if (fresh.size === 0 && wanted.length === 0) return noRivals;
    const others = await loadSessions(sql, { fresh, wanted });
    return others.length > 0 ? this.#rivals(sql, { found: others, states }, run) : noRivals;
  }

  /** Those that are still open at an address that another SIM gets, with the state of their SIMs. */
  async #rivals(
    sql: Sql,
    { found, states }: { found: readonly FoundSession[]; states: Map<number, SimState> },
    { batch }: Reading,
  ): Promise<Rivals> {
    const missing = new Set<number>();
    for (const { simId } of found) {
      const sim = states.get(simId) ?? this.#sims.get(simId);
      if (sim) states.set(simId, sim);
      else missing.add(simId);
    }
    if (missing.size > 0) {
      const fresh = new Map<number, SimState>();
      for (const { sim } of await findSimStates(sql, { ids: [...missing] }, batch)) {
        const state = this.#stateOf(sim, states);
        if (state === sim) fresh.set(sim.simId, sim);
      }
      await loadSessions(sql, { fresh, wanted: [] });
    }
    const rivals: Rivals = new Map();
    for (const { simId, session } of found) {
      const sim = states.get(simId);
      const own = sim?.sessions.get(session.key);
      if (!sim || !own || session.ip === null) continue;
      const list = rivals.get(session.ip);
      if (list) list.push({ sim, session: own });
      else rivals.set(session.ip, [{ sim, session: own }]);
    }
    return rivals;
  }

  /** The one object of a SIM that was read: the batch's own, else the cache's, else the one just made. */
  #stateOf(read: SimState, states: Map<number, SimState>): SimState {
    const cached = this.#sims.get(read.simId);
    const sim = states.get(read.simId) ?? cached ?? read;
    if (!cached && !sim.isForgotten) this.#sims.set(sim.simId, sim);
    states.set(sim.simId, sim);
    return sim;
  }

  noteOpened({ sessions }: Changes): void {
    for (const { sim, session, isNew, whole } of sessions.values()) {
      const begins = isNew || (whole && session.reusedAt !== null);
      if (begins && session.ip !== null) this.#opened.set(session.ip, { sim, session });
    }
  }

  /** With the rivals that only this cache can know of yet. */
  withOpened(loaded: LoadedSims, updates: readonly SessionUpdate[]): LoadedSims {
    const { sims, states } = loaded;
    let rivals: Rivals | undefined;
    for (const [index, update] of updates.entries()) {
      const sim = sims[index];
      const { ip } = update;
      if (!sim || ip === null || !mayBegin(sim, update)) continue;
      const found = this.#opened.get(ip);
      if (!found || found.sim === sim) continue;
      const { simId } = found.sim;
      if (found.sim.isForgotten || (states.get(simId) ?? this.#sims.get(simId)) !== found.sim) continue;
      states.set(simId, found.sim);
      rivals ??= new Map(loaded.rivals);
      rivals.set(ip, [...(rivals.get(ip) ?? []), found]);
    }
    return rivals ? { ...loaded, rivals } : loaded;
  }

  /** What was decided on these is not, or not surely, written: they must no longer be used for decisions. */
  forget(states: Iterable<SimState>): void {
    for (const sim of states) {
      sim.isForgotten = true;
      if (this.#sims.get(sim.simId) === sim) this.#sims.delete(sim.simId);
    }
  }

  /** The SIMs of these identities; those that there are none for are noted as unknown for a while. */
  async #read(
    sql: Sql,
    { asked, states }: { asked: ReadonlySet<string>; states: Map<number, SimState> },
    { batch, now }: { batch: number; now: number },
  ) {
    const read = new Map<string, SimState>();
    for (const found of await findSimStates(sql, { identities: [...asked] }, batch)) {
      const sim = this.#stateOf(found.sim, states);
      // Only under the name that gateways use for it: three names for each SIM would fill the memory of names.
      for (const identity of found.identities) {
        if (!asked.has(identity)) continue;
        this.#ids.set(identity, { simId: sim.simId, until: now + identityMs });
        read.set(identity, sim);
      }
    }
    for (const identity of asked) if (!read.has(identity)) this.#unknown.set(identity, now + unknownMs);
    if (this.#unknown.size > unknownMost) this.#unknown.clear();
    return read;
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

/** Those of the states that this batch has read: their open sessions are not known yet. */
const freshOf = (
  states: ReadonlyMap<number, SimState>,
  { batch }: { batch: number },
): Map<number, SimState> => {
  const fresh = new Map<number, SimState>();
  for (const [simId, sim] of states) if (sim.readIn === batch) fresh.set(simId, sim);
  return fresh;
};

/** Updates from before the running cycles of their SIMs. */
const lateOf = (
  updates: readonly SessionUpdate[],
  sims: readonly (SimState | undefined)[],
): { simId: number; at: number }[] => {
  const late: { simId: number; at: number }[] = [];
  for (const [index, { at }] of updates.entries()) {
    const sim = sims[index];
    if (sim && at < runningSince(sim)) late.push({ simId: sim.simId, at });
  }
  return late;
};
