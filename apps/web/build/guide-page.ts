import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import type { Block, GuidePage, Section, Text } from '../src/features/guide/page.ts';

/**
 * Parses a page of the guide from Markdown: one title, then sections with the blocks that the console can render. Anything else
 * is an error, so that no content is lost.
 */
export const guidePageOf = (markdown: string): GuidePage => {
  const [first, ...rest] = marked.lexer(markdown) as MarkedToken[];
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('A page begins with its title');
  const lead: Block[] = [];
  const sections: (Section & { blocks: Block[] })[] = [];
  for (const token of rest) {
    if (token.type === 'space') continue;
    if (token.type !== 'heading') (sections.at(-1)?.blocks ?? lead).push(blockOf(token));
    else if (token.depth === 2) sections.push({ id: idOf(token.text), title: token.text, blocks: [] });
    else throw notDrawn(token);
  }
  return { title: first.text, lead, sections };
};

const notDrawn = ({ type, raw }: Token): Error =>
  new Error(`The guide can’t show this ${type}: ${raw.trim()}`);

/** Anchors as GitHub generates them from headings. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const blockOf = (token: MarkedToken): Block => {
  if (token.type === 'list')
    return { kind: 'list', ordered: token.ordered, items: token.items.map(textOfItem) };
  if (token.type === 'table') return tableOf(token);
  if (token.type !== 'paragraph') throw notDrawn(token);
  const [only, ...others] = token.tokens ?? [];
  if (only?.type === 'image' && others.length === 0)
    return { kind: 'picture', file: (only as Tokens.Image).href, says: (only as Tokens.Image).text };
  return { kind: 'paragraph', text: textOf(token.tokens ?? []) };
};

/** A list item must be a single line of text. */
const textOfItem = ({ tokens, raw, type }: Tokens.ListItem): Text => {
  const [only, ...others] = tokens as MarkedToken[];
  if (only?.type !== 'text' || others.length > 0) throw notDrawn({ type, raw });
  return textOf(only.tokens ?? []);
};

const tableOf = ({ header, rows }: Tokens.Table): Block => ({
  kind: 'table',
  head: header.map(({ tokens }) => textOf(tokens)),
  rows: rows.map((cells) => cells.map(({ tokens }) => textOf(tokens))),
});

const kinds = { text: 'plain', escape: 'plain', strong: 'strong', em: 'em', codespan: 'code' } as const;

const textOf = (tokens: readonly Token[]): Text =>
  (tokens as readonly MarkedToken[]).map((token) => {
    if (token.type === 'link') return { kind: 'link', text: token.text, to: token.href };
    if (!Object.hasOwn(kinds, token.type)) throw notDrawn(token);
    const { type, text } = token as Tokens.Text | Tokens.Escape | Tokens.Strong | Tokens.Em | Tokens.Codespan;
    return { kind: kinds[type], text };
  });

/** The files of a page's pictures, without duplicates. */
export const pictureFilesOf = ({ lead, sections }: GuidePage): string[] => [
  ...new Set(
    [lead, ...sections.map(({ blocks }) => blocks)]
      .flat()
      .flatMap((block) => (block.kind === 'picture' ? [block.file] : [])),
  ),
];
