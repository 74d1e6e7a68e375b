/**
 * Where in parsed input a text holds the character U+0000; undefined when nowhere. JSON allows it, no field of ours
 * means it, and the database refuses it in any text: caught here once, it is bad input instead of a failure.
 */
export const findZeroCharacter = (input: unknown, path = ''): string | undefined => {
  if (typeof input === 'string') return input.includes('\0') ? path : undefined;
  if (typeof input !== 'object' || input === null) return undefined;
  for (const [key, value] of Object.entries(input)) {
    const found = findZeroCharacter(value, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
