import { endpoints, limits } from '@simcube/contract';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import type { Selection } from '../../../ui/data-table/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import type { PoolPageSearch } from '../search.ts';

const filterOf = ({ search, state }: PoolPageSearch) => ({ search, state });

/** One page of a pool's SIMs. */
export const useMembers = (poolId: string, search: PoolPageSearch) =>
  usePageQuery(search, (page) =>
    endpointQuery(endpoints.pool.sims, { params: { poolId }, query: { ...filterOf(search), ...page } }),
  );

/**
 * ICCIDs of the matching members, read page by page. If there are more than the server accepts at once, one page too many, which
 * it refuses: part of them would not be what was asked for.
 */
export const collectMembers = async (
  poolId: string,
  search: Pick<PoolPageSearch, 'search' | 'state'>,
  except: ReadonlySet<string> = new Set(),
): Promise<string[]> => {
  const iccids: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await call(endpoints.pool.sims, {
      params: { poolId },
      // In an order that usage doesn't change: members that use data while pages are read would be skipped or read twice.
      query: { ...filterOf(search), sort: 'iccid', page_size: limits.page.maxByApi, cursor },
    });
    iccids.push(...data.map(({ iccid }) => iccid).filter((iccid) => !except.has(iccid)));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && iccids.length <= limits.simsOfOperation);
  return iccids;
};

/** ICCIDs of the selected members. */
export const collectSelected = async (
  poolId: string,
  search: PoolPageSearch,
  selection: Selection,
): Promise<string[]> =>
  selection.kind === 'some'
    ? [...selection.keys]
    : collectMembers(poolId, filterOf(search), selection.except);
