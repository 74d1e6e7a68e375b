import { endpoints } from '@simcube/contract';
import { scopeKinds, triggerKinds } from '@simcube/contract/autoflow';
import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useAnswer } from '../../ui/answer/index.ts';
import { usePageOf } from '../../ui/list-screen/index.ts';
import type { RulesSearch } from './search.ts';

/** Firings come without anybody's doing. */
export const lookAgainMs = 10_000;

/** What the address means, as the server takes it. */
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
  usePageOf(search, (page) => ({
    ...endpointQuery(endpoints.autoflow.list, {
      query: {
        ...filterOf(search),
        ...(search.condition === undefined ? {} : { condition: search.condition }),
        ...page,
      },
    }),
    refetchInterval: lookAgainMs,
  }));

/** By condition, whatever condition the filter names. */
export const useSummary = (search: RulesSearch) =>
  useAnswer({
    ...endpointQuery(endpoints.autoflow.summary, { query: filterOf(search) }),
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
  });

/** Asked as the menu asks it: both say the same at any moment. */
export const useRuleCount = () =>
  useAnswer({ ...endpointQuery(endpoints.autoflow.count), refetchInterval: lookAgainMs });

export const useRule = (ruleId: string | undefined) =>
  useAnswer({
    ...endpointQuery(endpoints.autoflow.detail, { params: { ruleId: ruleId ?? '0' } }),
    enabled: ruleId !== undefined,
  });

export const useOvershoots = (ruleIds: readonly string[]) =>
  useAnswer({
    ...endpointQuery(endpoints.autoflow.overshoot, { body: { ruleIds: [...ruleIds] } }),
    enabled: ruleIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const readRulesAgain = async (queries: QueryClient): Promise<void> => {
  const { list, count, summary, detail, listRuns, listSims, listChanges } = endpoints.autoflow;
  await Promise.all(
    [list, count, summary, detail, listRuns, listSims, listChanges].map(({ id }) =>
      queries.invalidateQueries({ queryKey: [id] }),
    ),
  );
};
