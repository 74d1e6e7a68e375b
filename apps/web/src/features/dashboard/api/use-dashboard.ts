import { endpoints } from '@simcube/contract';
import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { now } from '../../../lib/time/index.ts';
import { type ApiQuery, useApiQuery } from '../../../ui/query/index.ts';
import { updatedRank, withCounts } from '../live-figures.ts';
import { type RecentUsage, type Updated, updatedCard, updatedStatistics } from '../recent-usage.ts';
import { useLiveUsage } from './live-usage.ts';

/** Events keep the figures up to date; polling finds what no event reports (repairs, the turn of an hour). */
const polling = { refetchInterval: 300_000 } as const;
/** Minimum interval for refetching responses that events can't keep up to date. */
const minRefetchMs = 15_000;

/** The four figures at the top; the number of SIMs always comes from the same response. */
export const useCards = () => {
  const query = useUpdated(
    useApiQuery({ ...endpointQuery(endpoints.dashboard.card), ...polling }),
    updatedCard,
  );
  const { data: counts } = useLifecycleCount();
  const { data } = query;
  const shown = useMemo(() => data && withCounts(data, counts?.data), [data, counts]);
  return { ...query, data: shown };
};

export const useStatistics = (range: DashboardStatistics['range']) =>
  useUpdated(
    useApiQuery({
      ...endpointQuery(endpoints.dashboard.statistics, { query: { range } }),
      ...polling,
      placeholderData: keepPreviousData,
    }),
    updatedStatistics,
  );

/** The SIMs with the most usage, if the person may see SIMs: those of the last ranking, each with its current usage. */
export const useRank = () => {
  const enabled = session.can('sim');
  const query = useApiQuery({ ...endpointQuery(endpoints.dashboard.rank), ...polling, enabled });
  const { used } = useLiveUsage();
  const { data, error, refetch, updatedAt } = query;
  const shown = useMemo(() => data && updatedRank(data, updatedAt, used), [data, updatedAt, used]);
  return { data: shown, error, refetch };
};

export const useLifecycleCount = () => useApiQuery(endpointQuery(endpoints.dashboard.lifecycleCount));

/** A response kept up to date by later events; refetched when they are not enough. */
const useUpdated = <T>(
  query: ApiQuery<T>,
  update: (answer: ApiResponse<T>, recent: RecentUsage) => Updated<ApiResponse<T>>,
): Pick<ApiQuery<T>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'> => {
  const { data, error, isPlaceholderData, refetch, updatedAt } = query;
  const { usage } = useLiveUsage();
  const updated = useMemo(() => data && update(data, usage), [data, update, usage]);
  const refetchNow = useEffectEvent(() => void refetch());
  const isBehind = updated?.isBehind === true && !isPlaceholderData && !error;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => refetchNow(), Math.max(0, updatedAt + minRefetchMs - now()));
    return () => clearTimeout(timer);
  }, [isBehind, updatedAt]);
  return { data: updated?.response, error, isPlaceholderData, refetch };
};
