import { endpoints } from '@simcube/contract';
import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery, useAnswer } from '../../../lib/api-client/index.ts';

export const useCards = () => useAnswer(endpointQuery(endpoints.dashboard.card));

export const useStatistics = (range: DashboardStatistics['range']) =>
  useAnswer({
    ...endpointQuery(endpoints.dashboard.statistics, { query: { range } }),
    placeholderData: keepPreviousData,
  });

export const useRank = () => useAnswer(endpointQuery(endpoints.dashboard.rank));

export const useLifecycleCount = () => useAnswer(endpointQuery(endpoints.dashboard.lifecycleCount));
