import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-tree.ts';

const [list] = sourceFiles((path) => path.endsWith('docs/spec-coverage.md'));
const tests = sourceFiles((path) => /\.(test|e2e)\.tsx?$/.test(path));
const statements = (list?.text ?? '').split(/\n(?=- |#)/).filter((part) => part.startsWith('- '));

/** A test's file, followed by the names of its tests in typographic quotation marks. */
const proofsIn = (statement: string): { file: string; name: string }[] => {
  const [, ...parts] = statement.split(/`([\w.-]+\.(?:test|e2e)\.tsx?)`/);
  return parts.flatMap((file, index) =>
    index % 2 > 0
      ? []
      : [...(parts[index + 1] ?? '').matchAll(/“((?:[^“”]|“[^“”]*”)+)”/g)].map(([, name = '']) => ({
          file,
          name,
        })),
  );
};

describe('docs/spec-coverage.md', () => {
  it('names a test for each statement', () => {
    expect(statements.length).toBeGreaterThan(60);
    expect(statements.filter((statement) => proofsIn(statement).length === 0)).toEqual([]);
  });

  it('names existing tests', () => {
    const missing = statements
      .flatMap(proofsIn)
      .filter(
        ({ file, name }) => !tests.some(({ path, text }) => path.endsWith(`/${file}`) && text.includes(name)),
      );
    expect(missing).toEqual([]);
  });
});
