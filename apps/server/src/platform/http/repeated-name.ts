/** A string in valid JSON, and the space behind it. */
const stringPattern = /"[^"\\]*(?:\\.[^"\\]*)*"\s*/g;

/**
 * A name that an object in a JSON text has twice: parsers keep only one of its values (RFC 8259, 4). Undefined if there is
 * none. `value` is the parsed text: a repeated name is more often in the text than in it.
 */
export const repeatedName = (text: string, value: unknown): string | undefined => {
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  // Without a match object for each value: a selection has 100,000 of them.
  const strings = new RegExp(stringPattern);
  for (let end = 0; strings.test(text); end = strings.lastIndex)
    if (text[strings.lastIndex] === ':')
      add(JSON.parse(text.slice(text.indexOf('"', end), strings.lastIndex)) as string, 1);
  // Not recursive: the text may be nested deeply.
  const found = [value];
  for (const one of found) {
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one)) for (const name of Object.keys(one)) add(name, -1);
    for (const inner of Array.isArray(one) ? one : Object.values(one))
      if (typeof inner === 'object') found.push(inner);
  }
  return [...counts].find(([, count]) => count > 0)?.[0];
};
