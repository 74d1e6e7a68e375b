import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot, sourceFiles } from './source-tree.ts';

const documents = sourceFiles((path) => path.endsWith('.md'));

interface Line {
  path: string;
  number: number;
  text: string;
}

/** Lines outside blocks of code. */
const proseOf = ({ path, text }: { path: string; text: string }): Line[] => {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : [{ path, number: index + 1, text: line }];
  });
};

const cellsOf = (row: string): number =>
  row
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/).length;

/** The rows of tables with a different number of cells than the row above them. */
const unevenRows = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ path, number, text }, index) => {
    const above = lines[index - 1];
    const isRow = text.trimStart().startsWith('|') && above?.text.trimStart().startsWith('|');
    return isRow && above && cellsOf(text) !== cellsOf(above.text) ? [`${path}:${number}`] : [];
  });

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchors = new Map(
  documents.map((document) => [
    document.path,
    new Set(
      proseOf(document)
        .filter(({ text }) => /^#+ /.test(text))
        .map(({ text }) => anchorOf(text.replace(/^#+ /, ''))),
    ),
  ]),
);

/** Links to files that do not exist, and to headings that these do not have. */
const deadLinks = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ path, number, text }) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      // Links to the web, and to the console that shows the guide.
      if (/^([a-z]+:|\/)/.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      const isThere = existsSync(join(projectRoot, target));
      const hasHeading = anchor === undefined || (anchors.get(target)?.has(anchor) ?? true);
      return isThere && hasHeading ? [] : [`${path}:${number} ${link}`];
    }),
  );

describe('documents', () => {
  it('have tables with the same number of cells in each row', () => {
    expect(documents.flatMap((document) => unevenRows(proseOf(document)))).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    expect(documents.flatMap((document) => deadLinks(proseOf(document)))).toEqual([]);
  });
});
