import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument } from 'yaml';

/** A YAML file can't be read; the message says on which line. */
export class YamlUnreadable extends Error {}

export interface StrictYaml {
  value: unknown;
  /** The line of the element at a path, or of its nearest existing parent. */
  lineOf: (path: readonly PropertyKey[]) => number;
}

const errorsShown = 5;
/** Maximum depth. A catalogue nests six deep; the parser recurses for each level. */
const maxDepth = 50;
const maxIndent = 200;

/**
 * Reads YAML 1.2 strictly: one document, each key once, no aliases.
 * @throws YamlUnreadable
 */
export const readStrictYaml = (text: string): StrictYaml => {
  refuseDeepNesting(text);
  const lineCounter = new LineCounter();
  const lineAt = (node: Node | null | undefined): number => lineCounter.linePos(node?.range?.[0] ?? 0).line;
  // Duplicate keys are found below: the parser compares each key with all others of its map.
  const document = parseDocument(text, { strict: true, uniqueKeys: false, prettyErrors: true, lineCounter });
  const problems = [...document.errors, ...document.warnings].map(
    ({ message }) => message.split('\n')[0] ?? '',
  );
  if (problems.length === 0) problems.push(...problemsIn(document.contents, lineAt));
  if (problems.length > 0)
    throw new YamlUnreadable(`The file is not YAML:\n${problems.slice(0, errorsShown).join('\n')}`);
  return {
    value: document.toJS({ maxAliasCount: 0 }),
    lineOf: (path) => lineAt(nodeAt(document.contents, path)),
  };
};

/** Works on tokens only, before anything is parsed. */
const refuseDeepNesting = (text: string): void => {
  let [line, flow, items] = [1, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token === '\n' || token === '\r\n') [line, items] = [line + 1, 0];
    else if (token === '[' || token === '{') flow += 1;
    else if (token === ']' || token === '}') flow -= 1;
    else if (token === '-' || token === '?') items += 1;
    const indent = /^ +$/.test(token) ? token.length : 0;
    if (Math.max(flow, flow > 0 ? 0 : items) > maxDepth || (flow === 0 && indent > maxIndent))
      throw new YamlUnreadable(`The file is nested too deeply (line ${line})`);
    if (token.length > 1) line += token.split('\n').length - 1 - (token === '\r\n' ? 1 : 0);
  }
};

const problemsIn = (node: unknown, lineAt: (node: Node | null) => number): string[] => {
  if (isAlias(node)) return [`Aliases (&, *) are not allowed: write the value out, at line ${lineAt(node)}`];
  if (isSeq<Node>(node)) return node.items.flatMap((item) => problemsIn(item, lineAt));
  if (!isMap<Node, Node>(node)) return [];
  const known = new Set<unknown>();
  return node.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : key;
    const isDuplicate = known.has(name);
    known.add(name);
    const duplicateProblems = isDuplicate
      ? [`Map keys must be unique: ${JSON.stringify(name)} at line ${lineAt(key)}`]
      : [];
    return [...duplicateProblems, ...problemsIn(value, lineAt)];
  });
};

/** The key or item at a path; if the path ends early, the nearest existing one. */
const nodeAt = (contents: Node | null, path: readonly PropertyKey[]): Node | null => {
  let [at, within]: [Node | null, Node | null] = [contents, contents];
  for (const step of path) {
    if (isSeq<Node>(within)) at = within = within.items[Number(step)] ?? null;
    else if (isMap<Node, Node>(within)) {
      const pair = within.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return at;
      [at, within] = [pair.key, pair.value ?? null];
    } else return at;
  }
  return at ?? contents;
};
