import type { KeyObject } from 'node:crypto';

/** Maximum entries of each kind. */
const maxEntries = 10_000;
/** How long an unknown id is remembered. */
const unknownMs = 10_000;

type Keys = ReadonlyMap<string, KeyObject>;

/**
 * Public keys by id, so that a signature is verified without a query: a key pair never changes, and whether the
 * key still exists is checked when the nonce is used up. All unknown ids are read by one query at a time,
 * however many calls wait, and ids without a key are remembered briefly: a flood of them does not occupy the
 * database.
 */
export class KeyCache {
  readonly #known = new Map<string, KeyObject>();
  readonly #unknownUntil = new Map<string, number>();
  readonly #read: (ids: readonly string[]) => Promise<Keys>;
  #reading: Promise<unknown> = Promise.resolve();
  /** The ids that the next read includes. */
  #nextBatch: { ids: Set<string>; keys: Promise<Keys> } | undefined;

  constructor(read: (ids: readonly string[]) => Promise<Keys>) {
    this.#read = read;
  }

  /** @throws the error of the read, which is not cached */
  async find(id: string, now: Date): Promise<KeyObject | undefined> {
    const known = this.#known.get(id);
    if (known || now.getTime() < (this.#unknownUntil.get(id) ?? 0)) return known;
    this.#nextBatch ??= this.#startBatch();
    const { ids, keys } = this.#nextBatch;
    ids.add(id);
    const key = (await keys).get(id);
    if (key) cacheEntry(this.#known, id, key);
    else cacheEntry(this.#unknownUntil, id, now.getTime() + unknownMs);
    return key;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  #startBatch(): { ids: Set<string>; keys: Promise<Keys> } {
    const ids = new Set<string>();
    const keys = this.#reading.then(() => {
      this.#nextBatch = undefined;
      return this.#read([...ids]);
    });
    this.#reading = keys.catch(() => undefined);
    return { ids, keys };
  }
}

const cacheEntry = <T>(entries: Map<string, T>, id: string, value: T): void => {
  entries.delete(id);
  entries.set(id, value);
  const oldest = entries.keys().next();
  if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value);
};
