import { endpoints } from '@simcube/contract';
import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { type Answer, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { now } from '../../../lib/time/index.ts';
import { type Asked, useAnswer } from '../../../ui/answer/index.ts';
import { toldRank, withCounts } from '../live-figures.ts';
import { type Told, toldCard, toldStatistics, type UsageNews } from '../usage-news.ts';
import { useNews } from './live-news.ts';

/** Events keep the figures up to date; polling finds what no event reports (repairs, the turn of an hour). */
const settled = { refetchInterval: 300_000 } as const;
/** Minimum interval for refetching responses that events can't keep up to date. */
const againEveryMs = 15_000;

/** The four figures at the top; the number of SIMs always comes from the same response. */
export const useCards = () => {
  const asked = useTold(useAnswer({ ...endpointQuery(endpoints.dashboard.card), ...settled }), toldCard);
  const { data: counts } = useLifecycleCount();
  const { data } = asked;
  const shown = useMemo(() => data && withCounts(data, counts?.data), [data, counts]);
  return { ...asked, data: shown };
};

export const useStatistics = (range: DashboardStatistics['range']) =>
  useTold(
    useAnswer({
      ...endpointQuery(endpoints.dashboard.statistics, { query: { range } }),
      ...settled,
      placeholderData: keepPreviousData,
    }),
    toldStatistics,
  );

/** The SIMs with the most usage, if the person may see SIMs: those of the last ranking, each with its current usage. */
export const useRank = () => {
  const enabled = session.can('sim');
  const asked = useAnswer({ ...endpointQuery(endpoints.dashboard.rank), ...settled, enabled });
  const { used } = useNews();
  const { data, error, refetch, updatedAt } = asked;
  const shown = useMemo(() => data && toldRank(data, updatedAt, used), [data, updatedAt, used]);
  return { data: shown, error, refetch };
};

export const useLifecycleCount = () => useAnswer(endpointQuery(endpoints.dashboard.lifecycleCount));

/** A response kept up to date by later events; refetched when they are not enough. */
const useTold = <T>(
  asked: Asked<T>,
  tell: (answer: Answer<T>, news: UsageNews) => Told<Answer<T>>,
): Pick<Asked<T>, 'data' | 'error' | 'isPlaceholderData' | 'refetch'> => {
  const { data, error, isPlaceholderData, refetch, updatedAt } = asked;
  const { usage } = useNews();
  const told = useMemo(() => data && tell(data, usage), [data, tell, usage]);
  const again = useEffectEvent(() => void refetch());
  const isBehind = told?.isBehind === true && !isPlaceholderData && !error;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => again(), Math.max(0, updatedAt + againEveryMs - now()));
    return () => clearTimeout(timer);
  }, [isBehind, updatedAt]);
  return { data: told?.answer, error, isPlaceholderData, refetch };
};
