/**
 * Parses the JSON of a file or option and rejects duplicate keys, of which `JSON.parse` silently takes the
 * last.
 * @param what names it in errors
 * @throws Error in words
 */
export const readStrictJson = (text: string, what = 'The file'): unknown => {
  // Windows editors begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
  const duplicate = findDuplicateKey(json);
  if (duplicate !== undefined)
    throw new Error(`${JSON.stringify(duplicate.key)} appears twice (line ${duplicate.line})`);
  return content;
};

/** The first key of valid JSON that its object already has. */
const findDuplicateKey = (json: string): { key: string; line: number } | undefined => {
  const open: Set<string>[] = [];
  let line = 1;
  let last: string | undefined;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else if (last !== undefined) {
      const key = JSON.parse(last) as string;
      const known = open.at(-1);
      if (known?.has(key)) return { key, line };
      known?.add(key);
    }
  }
  return undefined;
};
