import { z } from 'zod';
import { session } from '../session/index.ts';
import { now } from '../time/index.ts';

/** The key of a list in an address. */
export const listKeySchema = z.string().regex(/^[a-z0-9]{4,12}$/);

export interface KeptLists<L> {
  /** @returns the key that brings it back */
  keep: (list: L) => string;
  /** Undefined for anybody else, and in another tab. */
  find: (key: string) => L | undefined;
}

/** Lists are up to some 200 kB, and browsers give 5 MB: the oldest of a kind gives way. */
const maxKept = 8;
const ownedSchema = z.looseObject({ owner: z.string(), at: z.number() });

/**
 * Lists of identifiers don't fit an address (servers and proxies take some 8 kB): they stay in this tab, through reloads,
 * under a short key that does. They are a person's in an organisation; for anybody else the key says nothing.
 */
export const keptLists = <L extends object>(kind: string, schema: z.ZodType<L>): KeptLists<L> => {
  const prefix = `simcube.${kind}.list.`;
  const memory = new Map<string, { owner: string; at: number; list: L }>();
  const read = (key: string) => {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null');
      const [owned, list] = [ownedSchema.safeParse(stored).data, schema.safeParse(stored).data];
      if (!owned || !list) return undefined;
      const found = { owner: owned.owner, at: owned.at, list };
      memory.set(key, found);
      return found;
    } catch {
      return undefined;
    }
  };
  const dropOldest = (): void => {
    const keys = Object.keys(sessionStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
    const oldest = keys.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
    for (const key of oldest.slice(0, Math.max(0, keys.length - maxKept + 1))) {
      sessionStorage.removeItem(prefix + key);
      memory.delete(key);
    }
  };
  return {
    keep: (list) => {
      const key = newKey();
      const kept = { owner: owner(), at: now(), list };
      memory.set(key, kept);
      try {
        dropOldest();
        sessionStorage.setItem(prefix + key, JSON.stringify({ owner: kept.owner, at: kept.at, ...list }));
      } catch {
        // A full storage: the list then lasts until the page is loaded again.
      }
      return key;
    },
    find: (key) => {
      const kept = memory.get(key) ?? read(key);
      return kept?.owner === owner() ? kept.list : undefined;
    },
  };
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join('');

const owner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;
