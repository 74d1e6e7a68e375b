import type { SessionRow } from './sessions.queries.ts';

const freshMs = 30_000;
const entriesAtMost = 10_000;

interface Entry {
  session: SessionRow;
  readAt: number;
}

/**
 * Sessions read a moment ago, by token hash, so that a busy screen asks the database once in 30 s. It answers only
 * once notifications arrive (`listen`): one that is ended must stop in every process immediately.
 */
export class SessionCache {
  readonly #entries = new Map<string, Entry>();
  /** Counts what was forgotten: a read that began before must not be kept, it may be stale already. */
  #generation = 0;
  #listening: boolean = false;

  get generation(): number {
    return this.#generation;
  }

  find(key: string, now: Date): SessionRow | undefined {
    const entry = this.#entries.get(key);
    const age = entry ? now.getTime() - entry.readAt : 0;
    return entry && age >= 0 && age < freshMs ? entry.session : undefined;
  }

  /** Keeps what was read, unless something was forgotten since `generation`. */
  keep(key: string, session: SessionRow, { now, generation }: { now: Date; generation: number }): void {
    if (!this.#listening || generation !== this.#generation) return;
    this.#entries.delete(key);
    this.#entries.set(key, { session, readAt: now.getTime() });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > entriesAtMost && !oldest.done) this.#entries.delete(oldest.value);
  }

  forget(sessionId: string): void {
    this.#generation += 1;
    for (const [key, { session }] of this.#entries) {
      if (session.id === sessionId) this.#entries.delete(key);
    }
  }

  /** All sessions of a person were ended, or what is remembered of the person changed. */
  forgetPerson(userId: string): void {
    this.#generation += 1;
    for (const [key, { session }] of this.#entries) {
      if (session.userId === userId) this.#entries.delete(key);
    }
  }

  /** From now on notifications arrive, for the first time or again after a gap: what came before is not known. */
  listen(): void {
    this.#generation += 1;
    this.#listening = true;
    this.#entries.clear();
  }
}
