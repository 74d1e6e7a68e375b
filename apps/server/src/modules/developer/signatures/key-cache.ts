import type { KeyObject } from 'node:crypto';

/** Of each kind. */
const entriesAtMost = 10_000;
/** An id that belongs to no key is asked for again after this. */
const unknownMs = 10_000;

type Keys = ReadonlyMap<string, KeyObject>;

/**
 * Public keys by id, so that a signature is judged without asking the database: a pair never changes, and whether its key
 * still exists is asked when the nonce is used up. There is one read at a time for all ids that are not known, however many
 * calls wait, and ids of no key are remembered shortly: a flood of them leaves the database to others.
 */
export class KeyCache {
  readonly #known = new Map<string, KeyObject>();
  readonly #unknownUntil = new Map<string, number>();
  readonly #read: (ids: readonly string[]) => Promise<Keys>;
  #reading: Promise<unknown> = Promise.resolve();
  /** What the next read asks for. */
  #gathered: { ids: Set<string>; keys: Promise<Keys> } | undefined;

  constructor(read: (ids: readonly string[]) => Promise<Keys>) {
    this.#read = read;
  }

  /** @throws what the read throws, which is not remembered */
  async find(id: string, now: Date): Promise<KeyObject | undefined> {
    const known = this.#known.get(id);
    if (known || now.getTime() < (this.#unknownUntil.get(id) ?? 0)) return known;
    this.#gathered ??= this.#gather();
    const { ids, keys } = this.#gathered;
    ids.add(id);
    const key = (await keys).get(id);
    if (key) keep(this.#known, id, key);
    else keep(this.#unknownUntil, id, now.getTime() + unknownMs);
    return key;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  #gather(): { ids: Set<string>; keys: Promise<Keys> } {
    const ids = new Set<string>();
    const keys = this.#reading.then(() => {
      this.#gathered = undefined;
      return this.#read([...ids]);
    });
    this.#reading = keys.catch(() => undefined);
    return { ids, keys };
  }
}

const keep = <T>(entries: Map<string, T>, id: string, value: T): void => {
  entries.delete(id);
  entries.set(id, value);
  const oldest = entries.keys().next();
  if (entries.size > entriesAtMost && !oldest.done) entries.delete(oldest.value);
};
