import { endpoints, limits } from '@simcube/contract';
import { call } from '../../../lib/api-client/index.ts';
import type { Selection } from '../../../ui/data-table/index.ts';
import { type SimSearch, simFilterOf } from '../search.ts';

/** Longer lists don't belong in a clipboard; exports are for those. */
export const maxCopied = limits.countedTotal;

/** The ICCIDs of a selection: the selected ones, or, if all matching SIMs are meant, read page by page. */
export const collectIccids = async (selection: Selection, search: SimSearch): Promise<string[]> => {
  if (selection.kind === 'some') return [...selection.keys];
  const iccids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await fetchPage(search, cursor);
    iccids.push(...page.iccids.filter((iccid) => !selection.except.has(iccid)));
    cursor = page.next;
  } while (cursor !== null && iccids.length < maxCopied);
  return iccids.slice(0, maxCopied);
};

const fetchPage = async (
  search: SimSearch,
  cursor: string | null,
): Promise<{ iccids: string[]; next: string | null }> => {
  const { data, nextCursor } = await call(endpoints.sim.list, {
    body: {
      ...simFilterOf(search),
      sort: search.sort,
      page_size: limits.page.maxByApi,
      ...(cursor === null ? {} : { cursor }),
    },
  });
  return { iccids: data.map(({ iccid }) => iccid), next: nextCursor };
};
