/** Distributes vertically stacked items over pages. Pure: the caller supplies the heights. */

export interface FlowItem {
  height: number;
  /** Stays on the same page as the next item: a heading must not be alone at the foot of a page. */
  keepWithNext?: boolean;
}

/** With the heading of its table, which is repeated above an item that starts a page. */
type Headed<T> = FlowItem & { heading?: T };

/** The items of each page with this much space, in order; an item larger than a page gets one of its own. */
export const pagesOf = <T extends Headed<T>>(items: readonly T[], pageHeight: number): T[][] => {
  const pages: T[][] = [];
  let page: T[] = [];
  let left = pageHeight;
  for (const group of groupsOf(items)) {
    const height = heightOf(group);
    if (height > left && page.length > 0) {
      pages.push(page);
      const heading = group[0]?.heading;
      page = heading ? [heading] : [];
      left = pageHeight - heightOf(page);
    }
    page.push(...group);
    left -= height;
  }
  return page.length > 0 ? [...pages, page] : pages;
};

/** Groups of items that stay together. */
const groupsOf = <T extends FlowItem>(items: readonly T[]): T[][] => {
  const groups: T[][] = [];
  let open: T[] = [];
  for (const item of items) {
    open.push(item);
    if (item.keepWithNext) continue;
    groups.push(open);
    open = [];
  }
  return open.length > 0 ? [...groups, open] : groups;
};

const heightOf = (items: readonly FlowItem[]): number => items.reduce((sum, { height }) => sum + height, 0);
