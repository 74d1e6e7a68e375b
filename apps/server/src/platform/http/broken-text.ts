import { isBrokenText } from '@simcube/contract';

/**
 * Where in parsed input a text is broken (U+0000, half a character, what is left of broken UTF-8); undefined when nowhere.
 * JSON allows all of it, no field of ours means it, and the database refuses some of it in any text and the rest in
 * `jsonb`: caught here once, for every text of every call, it is bad input instead of a failure.
 */
export const findBrokenText = (input: unknown, path = ''): string | undefined => {
  if (typeof input === 'string') return isBrokenText(input) ? path : undefined;
  if (typeof input !== 'object' || input === null) return undefined;
  for (const [key, value] of Object.entries(input)) {
    const found = findBrokenText(value, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
