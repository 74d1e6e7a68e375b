import { endpoints } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import type { Amount } from '@simcube/contract/price';
import { useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useTimeDisplay } from '../../../lib/time/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { type ServiceSearch, serviceFilterOf } from '../search.ts';

const bundle = endpoints.bundle;
export type ServiceRow = Service & { device_name: string | null; cost: Amount | null };

/** One page of the orders. */
export const useServices = (search: ServiceSearch) => {
  const filter = serviceFilterOf(search, useTimeDisplay());
  return usePageOf(search, (page) => endpointQuery(bundle.list, { body: { ...filter, ...page } }));
};

/** Interval at which the page is refetched while it is on screen: orders begin, end and use data. */
const readEveryMs = 10_000;

export const useLiveServices = (rows: readonly ServiceRow[] | undefined): void => {
  const client = useQueryClient();
  const readAgain = usePaced(
    () => void client.invalidateQueries({ queryKey: [bundle.list.id] }),
    readEveryMs,
  );
  const onScreen = (iccid: string): boolean => rows?.some((row) => row.iccid === iccid) ?? false;
  useLive('sim.usage', ({ sims }) => {
    if (sims.some(({ iccid }) => onScreen(iccid))) readAgain();
  });
  useLive('sim.event', ({ iccid, kind }) => {
    if (onScreen(iccid) || kind === 'bundle-started' || kind === 'bundle-ended') readAgain();
  });
  useLive('sim.changed', () => readAgain());
  useLive('stream.reset', () => readAgain());
};
