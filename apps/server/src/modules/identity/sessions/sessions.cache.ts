import type { SessionRow } from './sessions.queries.ts';

const maxAgeMs = 30_000;
const maxEntries = 10_000;

interface Entry {
  session: SessionRow;
  readAt: number;
}

/**
 * Recently read sessions by token hash, so that a busy screen queries the database once in 30 s. Used only
 * while notifications arrive (`listen`): an ended session must stop in every process immediately.
 */
export class SessionCache {
  readonly #entries = new Map<string, Entry>();
  /** Counts invalidations: a read that began before one must not be cached, as it may be stale. */
  #generation = 0;
  #listening: boolean = false;

  get generation(): number {
    return this.#generation;
  }

  find(key: string, now: Date): SessionRow | undefined {
    const entry = this.#entries.get(key);
    const age = entry ? now.getTime() - entry.readAt : 0;
    return entry && age >= 0 && age < maxAgeMs ? entry.session : undefined;
  }

  /** Caches what was read, unless something was invalidated since `generation`. */
  store(key: string, session: SessionRow, { now, generation }: { now: Date; generation: number }): void {
    if (!this.#listening || generation !== this.#generation) return;
    this.#entries.delete(key);
    this.#entries.set(key, { session, readAt: now.getTime() });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > maxEntries && !oldest.done) this.#entries.delete(oldest.value);
  }

  forget(sessionId: string): void {
    this.#generation += 1;
    for (const [key, { session }] of this.#entries) {
      if (session.id === sessionId) this.#entries.delete(key);
    }
  }

  /** Drops all sessions of a person: they were ended, or cached data about the person changed. */
  forgetPerson(userId: string): void {
    this.#generation += 1;
    for (const [key, { session }] of this.#entries) {
      if (session.userId === userId) this.#entries.delete(key);
    }
  }

  /** Notifications arrive from now on, for the first time or after a gap: earlier ones may have been missed. */
  listen(): void {
    this.#generation += 1;
    this.#listening = true;
    this.#entries.clear();
  }
}
