export interface PageState {
  /** Starts at 1. */
  number: number;
  size: number;
  total: number;
  /** `gte`: the server stopped counting; there may be more. */
  relation: 'eq' | 'gte';
  /** The exact total if something else counted it: shown, while paging still follows `relation`. */
  exact?: number | undefined;
}

const lastPage = ({ size, total }: Pick<PageState, 'size' | 'total'>): number =>
  Math.max(1, Math.ceil(total / size));

/** Page numbers to offer; `gap` replaces those left out. The last page is left out if the total is not exact. */
export const pageWindow = ({
  number,
  size,
  total,
  relation,
}: PageState): (number | 'gap-start' | 'gap-end')[] => {
  const last = Math.max(lastPage({ size, total }), number);
  const candidates = [
    1,
    number - 1,
    number,
    number + 1,
    ...(number < 3 ? [2, 3] : []),
    ...(relation === 'eq' ? [last] : []),
  ];
  const numbers = [...new Set(candidates)].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
  const pages: (number | 'gap-start' | 'gap-end')[] = [];
  for (const page of numbers) {
    const previous = pages.at(-1);
    if (typeof previous === 'number' && page - previous === 2) pages.push(page - 1);
    else if (typeof previous === 'number' && page - previous > 2)
      pages.push(previous === 1 ? 'gap-start' : 'gap-end');
    pages.push(page);
  }
  if (relation === 'gte' && number < last) pages.push('gap-end');
  return [...new Set(pages)];
};

/** First and last row on the page, starting at 1; 0–0 for an empty list. */
export const pageRange = ({ number, size, rows }: { number: number; size: number; rows: number }) => ({
  from: rows === 0 ? 0 : (number - 1) * size + 1,
  to: (number - 1) * size + rows,
});

/** Whether there is a next page: known from the total, or, if that is not exact, assumed if the page is full. */
export const hasNext = (page: PageState, rows: number): boolean =>
  page.number < lastPage(page) || (page.relation === 'gte' && rows === page.size);
