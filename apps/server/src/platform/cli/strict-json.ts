/**
 * The content of a file or option of JSON, each key once: of two, `JSON.parse` takes the last and says nothing.
 * @param what names it in errors
 * @throws Error in words
 */
export const readStrictJson = (text: string, what = 'The file'): unknown => {
  // Editors of Windows begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
  const twice = repeatedKey(json);
  if (twice !== undefined) throw new Error(`${JSON.stringify(twice.key)} stands twice (line ${twice.line})`);
  return content;
};

/** Of what is JSON: the first key that its object has already. */
const repeatedKey = (json: string): { key: string; line: number } | undefined => {
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
