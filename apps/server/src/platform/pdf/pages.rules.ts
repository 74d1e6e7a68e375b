/** How what stands one below the other is spread over pages. Pure: heights are the caller's. */

export interface Flowing {
  height: number;
  /** Stays on the page of what follows it: a heading alone at the foot of a page heads nothing. */
  keepsNext?: boolean;
}

/** With what stands once more above it where a page begins with it: the heading of its table. */
type Headed<T> = Flowing & { heading?: T };

/** What comes on each page that has so much room, in order; what needs more than a page has one of its own. */
export const pagesOf = <T extends Headed<T>>(items: readonly T[], room: number): T[][] => {
  const pages: T[][] = [];
  let page: T[] = [];
  let left = room;
  for (const group of groupsOf(items)) {
    const height = heightOf(group);
    if (height > left && page.length > 0) {
      pages.push(page);
      const heading = group[0]?.heading;
      page = heading ? [heading] : [];
      left = room - heightOf(page);
    }
    page.push(...group);
    left -= height;
  }
  return page.length > 0 ? [...pages, page] : pages;
};

/** Those that stay together. */
const groupsOf = <T extends Flowing>(items: readonly T[]): T[][] => {
  const groups: T[][] = [];
  let open: T[] = [];
  for (const item of items) {
    open.push(item);
    if (item.keepsNext) continue;
    groups.push(open);
    open = [];
  }
  return open.length > 0 ? [...groups, open] : groups;
};

const heightOf = (items: readonly Flowing[]): number => items.reduce((sum, { height }) => sum + height, 0);
