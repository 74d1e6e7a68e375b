import { isBrokenText } from '@simcube/contract';

/**
 * Path of the first broken text in parsed input: with U+0000, an unpaired surrogate, or the replacement for
 * invalid UTF-8; undefined when there is none. JSON allows all of these, but no field needs them, and the
 * database refuses some in any text and the rest in `jsonb`. Checking every text here makes them invalid input
 * instead of a failure.
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
