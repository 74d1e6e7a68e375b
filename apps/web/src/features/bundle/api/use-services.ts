import { endpoints } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { type ServiceSearch, serviceFilterOf } from '../search.ts';

const bundle = endpoints.bundle;
export type ServiceRow = Service & { device_name: string | null; cost: Amount | null };

/** One page of the orders. */
export const useServices = (search: ServiceSearch) => {
  const filter = serviceFilterOf(search, useTimeDisplay());
  return usePageQuery(search, (page) => endpointQuery(bundle.list, { body: { ...filter, ...page } }));
};

/** Interval at which the page is refetched while it is on screen: orders begin, end and use data. */
const minRefetchMs = 10_000;

export const useLiveServices = (rows: readonly ServiceRow[] | undefined): void => {
  const client = useQueryClient();
  const refetch = useThrottled(
    () => void client.invalidateQueries({ queryKey: [bundle.list.id] }),
    minRefetchMs,
  );
  const onScreen = (iccid: string): boolean => rows?.some((row) => row.iccid === iccid) ?? false;
  useLive('sim.usage', ({ sims }) => {
    if (sims.some(({ iccid }) => onScreen(iccid))) refetch();
  });
  useLive('sim.event', ({ iccid, kind }) => {
    if (onScreen(iccid) || kind.startsWith('bundle-')) refetch();
  });
  useLive('sim.changed', () => refetch());
  useLive('stream.reset', () => refetch());
};
