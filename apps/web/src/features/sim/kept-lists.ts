import { z } from 'zod';
import { session } from '../../lib/session/index.ts';
import { now } from '../../lib/time/index.ts';

/** What became of a pasted or uploaded list of identifiers. */
export interface IdentifierList {
  iccids: readonly string[];
  notFound: readonly string[];
  duplicates: number;
}

/**
 * Up to 10,000 identifiers don't fit an address: they stay in this tab, through reloads, under a short key that does.
 * They are a person's in an organisation; for anybody else the key says nothing.
 */
const prefix = 'simcube.sims.list.';
/** A list is some 200 kB, and browsers give 5 MB: the oldest gives way. */
const maxKeptLists = 8;
const storedSchema = z.object({
  owner: z.string(),
  at: z.number(),
  iccids: z.array(z.string()),
  notFound: z.array(z.string()),
  duplicates: z.number(),
});
const memory = new Map<string, z.output<typeof storedSchema>>();

/** @returns the key that brings it back */
export const keepList = (list: IdentifierList): string => {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join(
    '',
  );
  const stored = {
    owner: owner(),
    at: now(),
    iccids: [...list.iccids],
    notFound: [...list.notFound],
    duplicates: list.duplicates,
  };
  memory.set(key, stored);
  try {
    dropOldest();
    sessionStorage.setItem(prefix + key, JSON.stringify(stored));
  } catch {
    // A full storage: the list then lasts until the page is loaded again.
  }
  return key;
};

export const keptList = (key: string): IdentifierList | undefined => {
  const stored = memory.get(key) ?? read(key);
  return stored?.owner === owner() ? stored : undefined;
};

const owner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;

const read = (key: string): z.output<typeof storedSchema> | undefined => {
  try {
    const { data } = storedSchema.safeParse(JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null'));
    if (data) memory.set(key, data);
    return data;
  } catch {
    return undefined;
  }
};

const dropOldest = (): void => {
  const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
  const at = (name: string): number => read(name.slice(prefix.length))?.at ?? 0;
  const oldest = names.sort((one, other) => at(one) - at(other));
  for (const name of oldest.slice(0, Math.max(0, names.length - maxKeptLists + 1))) {
    sessionStorage.removeItem(name);
    memory.delete(name.slice(prefix.length));
  }
};
