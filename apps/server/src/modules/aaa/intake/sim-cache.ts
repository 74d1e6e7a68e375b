import type { Sql } from '../../../platform/db/index.ts';
import { RecentMap } from '../../../platform/recent/index.ts';
import { type CycleSpan, findClosedCycles } from '../../bundle/index.ts';
import { runningSince } from '../../usage/index.ts';
import { findFiled } from '../filed/filed-sessions.queries.ts';
import type { CountedSession } from '../filed/filed-sessions.rules.ts';
import { firstFound } from '../identities.rules.ts';
import { superseded } from './causes.ts';
import type { Changes } from './changes.ts';
import { findSimStates } from './load.queries.ts';
import { type FoundSession, loadSessions, type RequestedSession } from './load-sessions.queries.ts';
import { mayBeReuse } from './reused-ids.ts';
import type { SessionState, SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

export interface LoadedSims {
  /** The SIM of each update, in order; undefined for unknown SIMs. */
  sims: (SimState | undefined)[];
  rivals: Rivals;
  filed: FiledSessions;
  /** By SIM: the closed cycles that contain late updates. */
  closed: ReadonlyMap<number, readonly CycleSpan[]>;
  /** Every SIM that the batch may change, each in exactly one state object: writes are generated from that object. */
  states: Map<number, SimState>;
}

/** By address: open sessions there of SIMs other than the one whose session begins. */
export type Rivals = Map<string, { sim: SimState; session: SessionState }[]>;

/** By SIM and key (`sessionName`): sessions that only files have reported so far. */
export type FiledSessions = ReadonlyMap<string, CountedSession>;

export const sessionName = (simId: number, key: number): string => `${simId} ${key}`;

/** The batch it is read for. */
interface ReadContext {
  batch: number;
}

const noRivals: Rivals = new Map();
const noneFiled: FiledSessions = new Map();

/** More than the batches in flight can open. */
const maxRecentlyOpened = 5_000;

/** How long the SIM of a number is cached, and how long a number is cached as unknown. */
const identityTtlMs = 10 * 60_000;
const unknownTtlMs = 5_000;
const maxUnknown = 10_000;

/** Whether the update may open a session: an unknown one, a new one under a known id, or one whose address was taken. */
const mayOpen = ({ sessions }: SimState, update: SessionUpdate): boolean => {
  const known = sessions.get(update.sessionKey);
  return known === undefined || known.cause === superseded || mayBeReuse(known, update);
};

const addressOf = ({ sessions }: SimState, { sessionKey, ip }: SessionUpdate): string | null =>
  ip ?? sessions.get(sessionKey)?.ip ?? null;

/** Those of the sessions just read whose address was taken, with that address: the reports on them do not name it. */
const withoutAddress = (requested: readonly RequestedSession[]): RequestedSession[] =>
  requested.flatMap(({ sim, key, ip: reported }) => {
    const { cause, ip } = sim.sessions.get(key) ?? {};
    return reported === null && ip && cause === superseded ? [{ sim, key, ip }] : [];
  });

/**
 * A lane's cache of SIMs, so that usual updates need no read. No decision relies on it alone: every write names the
 * version that it was decided on, and outdated entries are dropped and read again.
 */
export class SimCache {
  readonly #sims: RecentMap<number, SimState>;
  readonly #ids: RecentMap<string, { simId: number; until: number }>;
  readonly #unknown = new Map<string, number>();
  /** Sessions by address, opened so recently that a read may have missed them. */
  readonly #opened = new RecentMap<string, { sim: SimState; session: SessionState }>(maxRecentlyOpened);

  constructor(size: number) {
    this.#sims = new RecentMap(size);
    this.#ids = new RecentMap(size);
  }

  /** Reads the updates' SIMs and sessions that are not cached. */
  async load(
    sql: Sql,
    updates: readonly SessionUpdate[],
    context: ReadContext & { now: number },
  ): Promise<LoadedSims> {
    // References held from here on: a failing batch makes the cache forget SIMs, and a forgotten SIM must not be
    // taken for an unknown one. Decisions check whether any state was evicted.
    const states = new Map<number, SimState>();
    const sims = updates.map(({ identity }) => this.#find(identity, context.now));
    const missing = new Set<string>();
    for (const [index, { identity }] of updates.entries()) {
      const sim = sims[index];
      if (sim) states.set(sim.simId, sim);
      else if (!this.#isUnknown(identity, context.now)) missing.add(identity);
    }
    try {
      if (missing.size > 0) {
        const read = await this.#read(sql, { identities: missing, states }, context);
        for (const [index, { identity }] of updates.entries()) sims[index] ??= read.get(identity);
      }
      const sessions = await this.#loadSessions(sql, { updates, sims, states }, context);
      return { sims, ...sessions, closed: await findClosedCycles(sql, lateOf(updates, sims)), states };
    } catch (error) {
      // SIMs that were just read have no sessions yet.
      this.forget(freshOf(states, context).values());
      throw error;
    }
  }

  /** @returns open sessions of others at the addresses of new ones, and what files have reported of new ones */
  async #loadSessions(
    sql: Sql,
    batch: Pick<LoadedSims, 'sims' | 'states'> & { updates: readonly SessionUpdate[] },
    context: ReadContext,
  ): Promise<Pick<LoadedSims, 'rivals' | 'filed'>> {
    const { updates, sims, states } = batch;
    const requested: RequestedSession[] = [];
    for (const [index, update] of updates.entries()) {
      const sim = sims[index];
      if (sim && mayOpen(sim, update))
        requested.push({ sim, key: update.sessionKey, ip: addressOf(sim, update) });
    }
    const fresh = freshOf(states, context);
    if (fresh.size === 0 && requested.length === 0) return { rivals: noRivals, filed: noneFiled };
    // Sent together.
    const [others, filed] = await Promise.all([
      loadSessions(sql, { fresh, requested }),
      requested.length > 0
        ? findFiled(
            sql,
            requested.map(({ sim, key }) => ({ simId: sim.simId, sessionKey: key })),
          )
        : [],
    ]);
    const taken = withoutAddress(requested);
    if (taken.length > 0) others.push(...(await loadSessions(sql, { fresh: new Map(), requested: taken })));
    return {
      rivals:
        others.length > 0 ? await this.#rivals(sql, { rivalSessions: others, states }, context) : noRivals,
      filed:
        filed.length > 0
          ? new Map(filed.map((session) => [sessionName(session.simId, session.sessionKey), session]))
          : noneFiled,
    };
  }

  /** Of these, the sessions still open at an address that another SIM gets, with their SIMs' states. */
  async #rivals(
    sql: Sql,
    { rivalSessions, states }: { rivalSessions: readonly FoundSession[]; states: Map<number, SimState> },
    { batch }: ReadContext,
  ): Promise<Rivals> {
    const missing = new Set<number>();
    for (const { simId } of rivalSessions) {
      const sim = states.get(simId) ?? this.#sims.get(simId);
      if (sim) states.set(simId, sim);
      else missing.add(simId);
    }
    if (missing.size > 0) {
      const fresh = new Map<number, SimState>();
      const { found } = await findSimStates(sql, { ids: [...missing] }, batch);
      for (const sim of found) {
        const state = this.#stateOf(sim, states);
        if (state === sim) fresh.set(sim.simId, sim);
      }
      await loadSessions(sql, { fresh, requested: [] });
    }
    const rivals: Rivals = new Map();
    for (const { simId, session } of rivalSessions) {
      const sim = states.get(simId);
      const own = sim?.sessions.get(session.key);
      if (!sim || !own || session.ip === null) continue;
      const list = rivals.get(session.ip);
      if (list) list.push({ sim, session: own });
      else rivals.set(session.ip, [{ sim, session: own }]);
    }
    return rivals;
  }

  /** The single state object of a SIM: the batch's own, else the cached one, else the one just created. */
  #stateOf(read: SimState, states: Map<number, SimState>): SimState {
    const cached = this.#sims.get(read.simId);
    const sim = states.get(read.simId) ?? cached ?? read;
    if (!cached && !sim.isForgotten) this.#sims.set(sim.simId, sim);
    states.set(sim.simId, sim);
    return sim;
  }

  recordOpened({ sessions }: Changes): void {
    for (const { sim, session, isNew, isFullWrite } of sessions.values()) {
      const isStart = isNew || (isFullWrite && session.reusedAt !== null);
      if (isStart && session.ip !== null) this.#opened.set(session.ip, { sim, session });
    }
  }

  /** Adds the rivals that only this cache can know of yet. */
  withOpened(loaded: LoadedSims, updates: readonly SessionUpdate[]): LoadedSims {
    const { sims, states } = loaded;
    let rivals: Rivals | undefined;
    for (const [index, update] of updates.entries()) {
      const sim = sims[index];
      const ip = sim && mayOpen(sim, update) ? addressOf(sim, update) : null;
      const found = ip === null ? undefined : this.#opened.get(ip);
      if (ip === null || !found || found.sim === sim) continue;
      const { simId } = found.sim;
      if (found.sim.isForgotten || (states.get(simId) ?? this.#sims.get(simId)) !== found.sim) continue;
      states.set(simId, found.sim);
      rivals ??= new Map(loaded.rivals);
      rivals.set(ip, [...(rivals.get(ip) ?? []), found]);
    }
    return rivals ? { ...loaded, rivals } : loaded;
  }

  /** Decisions on these states were not written, or may not have been: they must no longer be used. */
  forget(states: Iterable<SimState>): void {
    for (const sim of states) {
      sim.isForgotten = true;
      if (this.#sims.get(sim.simId) === sim) this.#sims.delete(sim.simId);
    }
  }

  /** Reads the SIMs of these identities; identities without a SIM are cached as unknown for a while. */
  async #read(
    sql: Sql,
    { identities, states }: { identities: ReadonlySet<string>; states: Map<number, SimState> },
    { batch, now }: { batch: number; now: number },
  ) {
    const read = new Map<string, SimState>();
    const { byName } = await findSimStates(sql, { identities }, batch);
    for (const identity of identities) {
      const found = firstFound(identity, byName);
      if (!found) {
        this.#unknown.set(identity, now + unknownTtlMs);
        continue;
      }
      const sim = this.#stateOf(found, states);
      this.#ids.set(identity, { simId: sim.simId, until: now + identityTtlMs });
      read.set(identity, sim);
    }
    if (this.#unknown.size > maxUnknown) this.#unknown.clear();
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

/** The states that this batch has read: their open sessions are not loaded yet. */
const freshOf = (
  states: ReadonlyMap<number, SimState>,
  { batch }: { batch: number },
): Map<number, SimState> => {
  const fresh = new Map<number, SimState>();
  for (const [simId, sim] of states) if (sim.readInBatch === batch) fresh.set(simId, sim);
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
