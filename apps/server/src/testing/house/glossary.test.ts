import { languages } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-tree.ts';

const glossary = sourceFiles((path) => path === 'docs/glossary.md')[0]?.text ?? '';

/** The rows of the first table below a heading, by the names of its columns. */
const tableBelow = (heading: string): Record<string, string>[] => {
  const section = glossary.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [names = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
};

const wordsOf = (cell: string | undefined): string[] =>
  (cell ?? '').split(', ').filter((word) => word !== '');

/** Matches whole words, with any ending if the word ends with a hyphen; Chinese has no spaces between words. */
const holds = (text: string, word: string): boolean =>
  /\p{Script=Han}/u.test(word)
    ? text.includes(word)
    : new RegExp(`(?<!\\p{L})${word.replace(/-$/, '\\p{L}*')}(?!\\p{L})`, 'iu').test(text);

const linesOf = (language: string): string[] =>
  sourceFiles((path) => path.startsWith(`packages/phrases/src/${language}/`)).flatMap(({ path, text }) =>
    text.split('\n').map((line, index) => `${path}:${index + 1}: ${line.trim()}`),
  );

describe.each(languages)('the product words of %s', (language) => {
  const lines = linesOf(language);

  it('are those of the glossary', () => {
    const rows = tableBelow('Product words in each language');
    expect(rows.length).toBeGreaterThan(30);
    const words = rows.flatMap((row) => wordsOf(row[language]?.replaceAll(/ \([^)]*\)/g, '')));
    const text = lines.join('\n').toLowerCase();
    expect(words.filter((word) => !text.includes(word.toLowerCase()))).toEqual([]);
  });

  it('do not include words that the glossary rejects', () => {
    const rows = tableBelow('Words that are not used').filter((row) => row['language'] === language);
    const mixed = rows.flatMap(({ not, but, 'except in': exceptions }) =>
      wordsOf(not).flatMap((word) =>
        lines
          .filter((line) =>
            holds(
              wordsOf(exceptions).reduce(
                (rest, right) => rest.replaceAll(new RegExp(right, 'giu'), ''),
                line,
              ),
              word,
            ),
          )
          .map((line) => `${word}, not ${but}: ${line}`),
      ),
    );
    expect(mixed).toEqual([]);
  });
});

it('the glossary rejects words in each translation', () => {
  const named = new Set(tableBelow('Words that are not used').map((row) => row['language']));
  expect([...named].toSorted()).toEqual(['es-ES', 'zh-CN', 'zh-TW']);
});

it('a word with a final hyphen stands for all its endings', () => {
  const texts = ['Pausadas', 'se ralentizaron', 'pausas', 'despausada'];
  expect(texts.map((text) => holds(text, 'pausad-') || holds(text, 'ralentiz-'))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
