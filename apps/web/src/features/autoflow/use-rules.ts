import { endpoints } from '@simcube/contract';
import { scopeKinds, triggerKinds } from '@simcube/contract/autoflow';
import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { call, endpointQuery } from '../../lib/api-client/index.ts';
import { usePageQuery } from '../../ui/list-screen/index.ts';
import { useApiQuery, useFreshQuery } from '../../ui/query/index.ts';
import type { RulesSearch } from './search.ts';

/** Polling interval: rules fire without any action by the person. */
export const pollMs = 10_000;

/** The search parameters in the server's format. */
const filterOf = ({ search, trigger, scope }: RulesSearch) => {
  const kind = triggerKinds.find((one) => one === trigger);
  const within = scopeKinds.find((one) => one === scope);
  return {
    ...(search === undefined ? {} : { search }),
    ...(kind === undefined ? {} : { trigger: kind }),
    ...(within === undefined ? {} : { scope: within }),
  };
};

export const useRules = (search: RulesSearch) =>
  usePageQuery(search, (page) => ({
    ...endpointQuery(endpoints.autoflow.list, {
      query: {
        ...filterOf(search),
        ...(search.condition === undefined ? {} : { condition: search.condition }),
        ...page,
      },
    }),
    refetchInterval: pollMs,
  }));

/** Counts by condition, ignoring the filter's own condition. */
export const useSummary = (search: RulesSearch) =>
  useApiQuery({
    ...endpointQuery(endpoints.autoflow.summary, { query: filterOf(search) }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  });

/** The same request as the menu's, so that both always show the same number. */
export const useRuleCount = () =>
  useApiQuery({ ...endpointQuery(endpoints.autoflow.count), refetchInterval: pollMs });

export const useRule = (ruleId: string | undefined) =>
  useApiQuery({
    ...endpointQuery(endpoints.autoflow.detail, { params: { ruleId: ruleId ?? '0' } }),
    enabled: ruleId !== undefined,
    refetchInterval: pollMs,
  });

/** The rule to be edited as it is now: never from the cache, because the editor keeps what it starts with. */
export const useEditedRule = (ruleId: string | undefined) => {
  const { detail } = endpoints.autoflow;
  const params = { ruleId: ruleId ?? '0' };
  return useFreshQuery({
    key: [detail.id, 'edited', params],
    request: (signal) => call(detail, { params, signal, announce: false }),
    enabled: ruleId !== undefined,
  });
};

export const useOvershoots = (ruleIds: readonly string[]) =>
  useApiQuery({
    ...endpointQuery(endpoints.autoflow.overshoot, { body: { ruleIds: [...ruleIds] } }),
    enabled: ruleIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const refetchRules = async (queries: QueryClient): Promise<void> => {
  const { list, count, summary, detail, listRuns, listSims, listChanges } = endpoints.autoflow;
  await Promise.all(
    [list, count, summary, detail, listRuns, listSims, listChanges].map(({ id }) =>
      queries.invalidateQueries({ queryKey: [id] }),
    ),
  );
};
