import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-tree.ts';

const documents = sourceFiles((path) => path.endsWith('.md'));
const code = sourceFiles((path) => /\.(ts|tsx|mjs|cjs|sql|css|html|json|jsonc|ya?ml)$/.test(path));

interface Line {
  place: string;
  text: string;
}

const linesOf = ({ path, text }: SourceFile): Line[] =>
  text.split('\n').map((line, index) => ({ place: `${path}:${index + 1}`, text: line.trim() }));

const isComment = ({ text }: Line): boolean => /^(\/\/|\/\*|\*)/.test(text);

const scripts = code.filter(({ path }) => /\.([cm]?[jt]sx?)$/.test(path)).flatMap(linesOf);
const data = code.filter(({ path }) => !/\.([cm]?[jt]sx?)$/.test(path)).flatMap(linesOf);
const words = new Set(
  [...scripts.filter((line) => !isComment(line)), ...data].flatMap(
    ({ text }) => text.match(/[A-Za-z_]\w*/g) ?? [],
  ),
);

/** What a comment or document names as code: classes that are thrown, and identifiers in backticks. */
const namesIn = ({ text }: Line): string[] =>
  [...text.matchAll(/@throws ([A-Z]\w*)|`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(
    ([, thrown, name]) => thrown ?? name ?? '',
  );

/** Comments before declarations, with what follows them up to the end of a signature. */
const documented = code
  .filter(({ path }) => /\.([cm]?[jt]sx?)$/.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/\/\*\*(?:(?!\*\/).)*\*\//gs)].map((match) => {
      const [signature = ''] =
        /^.*?(?:=>(?: [({[])?$|=> [^\n]*;$|\)(?::[^\n]*)? \{$)/ms.exec(
          text.slice(match.index + match[0].length),
        ) ?? [];
      return {
        place: `${path}:${text.slice(0, match.index).split('\n').length}`,
        comment: match[0],
        signature,
      };
    }),
  );

const missingIn = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) =>
    namesIn(line).flatMap((name) => (words.has(name) ? [] : [`${line.place} ${name}`])),
  );

describe('an identifier', () => {
  it('that a comment names exists in the code', () => {
    expect(missingIn(scripts.filter(isComment))).toEqual([]);
  });

  it('that a comment describes as a parameter is in the signature', () => {
    const missing = documented.flatMap(({ place, comment, signature }) => {
      const names = [...comment.matchAll(/@param (?:\{[^}]*\} )?\[?(\w+)/g)].map(([, name = '']) => name);
      return names
        .filter((name) => !signature.match(/\w+/g)?.includes(name))
        .map((name) => `${place} ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('that a comment names as a class that is thrown exists in the code', () => {
    const missing = documented.flatMap(({ place, comment }) =>
      [...comment.matchAll(/@throws (?:(?!\n\s*\* @).)*/gs)]
        .flatMap(([thrown]) => thrown.match(/\b[A-Z][a-z]+(?:[A-Z]\w*)+\b/g) ?? [])
        .filter((name) => !words.has(name))
        .map((name) => `${place} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('that a document names exists in the code', () => {
    expect(missingIn(documents.flatMap(linesOf))).toEqual([]);
  });
});
