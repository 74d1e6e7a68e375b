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

const missingIn = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) =>
    namesIn(line).flatMap((name) => (words.has(name) ? [] : [`${line.place} ${name}`])),
  );

describe('an identifier', () => {
  it('that a comment names exists in the code', () => {
    expect(missingIn(scripts.filter(isComment))).toEqual([]);
  });

  it('that a document names exists in the code', () => {
    expect(missingIn(documents.flatMap(linesOf))).toEqual([]);
  });
});
