import { z } from 'zod';
import { session } from '../session/index.ts';
import { now } from '../time/index.ts';

/** The key of a list in the URL. */
export const listKeySchema = z.string().regex(/^[a-z0-9]{4,12}$/);

export interface ListStore<L> {
  /** @returns the key to find it by */
  save: (list: L) => string;
  /** Undefined for other people, and in other tabs. */
  find: (key: string) => L | undefined;
}

/** Lists take up to some 200 kB, and browsers allow 5 MB: the oldest list of a kind is removed. */
const maxStored = 8;
const ownedSchema = z.looseObject({ owner: z.string(), at: z.number() });

/**
 * Lists of identifiers don't fit in a URL (servers and proxies accept some 8 kB). They are stored in this tab, survive reloads,
 * and the URL has a short key. A list belongs to a person in an organisation; the key finds nothing for anyone else.
 */
export const listStore = <L extends object>(kind: string, schema: z.ZodType<L>): ListStore<L> => {
  const prefix = `simcube.${kind}.list.`;
  const memory = new Map<string, { owner: string; at: number; list: L }>();
  const read = (key: string) => {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null');
      const [owned, list] = [ownedSchema.safeParse(stored).data, schema.safeParse(stored).data];
      if (!owned || !list) return undefined;
      const entry = { owner: owned.owner, at: owned.at, list };
      memory.set(key, entry);
      return entry;
    } catch {
      return undefined;
    }
  };
  const dropOldest = (): void => {
    const keys = Object.keys(sessionStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
    const oldest = keys.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
    for (const key of oldest.slice(0, Math.max(0, keys.length - maxStored + 1))) {
      sessionStorage.removeItem(prefix + key);
      memory.delete(key);
    }
  };
  return {
    save: (list) => {
      const key = newKey();
      const entry = { owner: owner(), at: now(), list };
      memory.set(key, entry);
      try {
        dropOldest();
        sessionStorage.setItem(prefix + key, JSON.stringify({ owner: entry.owner, at: entry.at, ...list }));
      } catch {
        // Storage is full: the list lasts until the page is reloaded.
      }
      return key;
    },
    find: (key) => {
      const entry = memory.get(key) ?? read(key);
      return entry?.owner === owner() ? entry.list : undefined;
    },
  };
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join('');

const owner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;
