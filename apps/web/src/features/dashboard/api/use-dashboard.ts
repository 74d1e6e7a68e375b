import { endpoints } from '@simcube/contract';
import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';

export const useCards = () => useQuery(endpointQuery(endpoints.dashboard.card));

export const useStatistics = (range: DashboardStatistics['range']) =>
  useQuery({
    ...endpointQuery(endpoints.dashboard.statistics, { query: { range } }),
    placeholderData: keepPreviousData,
  });

export const useRank = () => useQuery(endpointQuery(endpoints.dashboard.rank));

export const useLifecycleCount = () => useQuery(endpointQuery(endpoints.dashboard.lifecycleCount));
