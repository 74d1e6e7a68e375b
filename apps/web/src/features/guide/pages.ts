import type { Block, GuideFile, GuidePage, Text } from './page.ts';

const files = import.meta.glob<GuideFile>('../../../../../docs/guide/*.md', { eager: true });

/** The page that links to the others, named as usual in repositories. */
const startName = 'README';

export interface NamedPage extends GuideFile {
  /** Name in the URL; undefined for the start page. */
  name: string | undefined;
}

const named = Object.entries(files).map(([path, file]): NamedPage => {
  const name = path.replace(/^.*\/|\.md$/g, '');
  return { name: name === startName ? undefined : name, ...file };
});

/** The page with a name; without one, the start page. */
export const guidePage = (name: string | undefined): NamedPage | undefined =>
  named.find((one) => one.name === name);

/** All texts in a block. */
const textsOf = (block: Block): readonly Text[] => {
  if (block.kind === 'paragraph') return [block.text];
  if (block.kind === 'list') return block.items;
  return block.kind === 'table' ? [...block.head, ...block.rows.flat()] : [];
};

const linksOf = ({ lead, sections }: GuidePage): string[] =>
  [...lead, ...sections.flatMap(({ blocks }) => blocks)]
    .flatMap(textsOf)
    .flat()
    .flatMap((piece) => (piece.kind === 'link' ? [piece.to] : []));

/** Every link in the guide, with its page. */
export const guideLinks: readonly { from: NamedPage; to: string }[] = named.flatMap((from) =>
  linksOf(from.page).map((to) => ({ from, to })),
);

/** The place in the guide that a link on a page leads to; undefined if it leads out of the guide. */
export const placeOf = (
  from: Pick<NamedPage, 'name'>,
  to: string,
): { name: string | undefined; id: string | undefined } | undefined => {
  const parts = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(to);
  if (!parts) return undefined;
  const [, file, id] = parts;
  if (file === undefined) return { name: from.name, id };
  return { name: file === startName ? undefined : file, id };
};

/**
 * The path of a place, without the language segment. The section is a search parameter, because any fragment of the address is
 * removed at start (specification, section 2).
 */
export const pathOfPlace = (name: string | undefined, id?: string): string =>
  ['guide', ...(name === undefined ? [] : [name])].join('/') + (id === undefined ? '' : `?section=${id}`);

const order = linksOf(guidePage(undefined)?.page ?? { title: '', lead: [], sections: [] });

/** All pages in the order of the start page's links, the start page first. */
export const guidePages: readonly NamedPage[] = named.toSorted(
  (one, other) => order.indexOf(`${one.name}.md`) - order.indexOf(`${other.name}.md`),
);
