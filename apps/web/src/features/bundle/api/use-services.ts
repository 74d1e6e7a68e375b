import { endpoints, limits } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { type ServiceSearch, serviceFilterOf } from '../search.ts';

const { bundle } = endpoints;
export type ServiceRow = Service & { device_name: string | null };

/**
 * One page of the orders. Where the page before was read, its cursor is used: that stays fast however deep; an
 * address that was opened at a page goes by its number.
 */
export const useServices = (search: ServiceSearch) => {
  const zone = useTimeDisplay();
  const cursors = useRef(new Map<string, string>());
  const { page = 1, size = limits.page.default, sort } = search;
  const filter = serviceFilterOf(search, zone);
  const list = JSON.stringify([filter, size, sort]);
  const cursor = cursors.current.get(`${page} ${list}`);
  const body = { ...filter, page_no: page, page_size: size, sort, cursor };
  const query = useQuery({
    ...endpointQuery(bundle.list, { body }),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  if (data?.nextCursor && !isPlaceholderData) cursors.current.set(`${page + 1} ${list}`, data.nextCursor);
  return query;
};

/** Orders begin, end and use data: the page is read again at this pace while it is on screen. */
const readEveryMs = 10_000;

export const useLiveServices = (): void => {
  const client = useQueryClient();
  const readAgain = usePaced(
    () => void client.invalidateQueries({ queryKey: [bundle.list.id] }),
    readEveryMs,
  );
  useLive('sim.usage', () => readAgain());
  useLive('sim.event', () => readAgain());
  useLive('sim.changed', () => readAgain());
  useLive('stream.reset', () => readAgain());
};
