import { endpoints } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { useQueryClient } from '@tanstack/react-query';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

const queryOf = (iccid: string, language: string) => {
  const { queryKey, ...query } = endpointQuery(endpoints.diagnose.run, { query: { iccid } });
  return { ...query, queryKey: [...queryKey, language] };
};

/** Shows another report of the SIM, in the language of the screen. */
export const useShowReport = (iccid: string): ((report: Diagnose) => void) => {
  const queries = useQueryClient();
  const { queryKey } = queryOf(iccid, useLanguage());
  return (report) =>
    queries.setQueryData<ApiResponse<Diagnose>>(
      queryKey,
      (response) => response && { ...response, data: report },
    );
};

/** A report's texts are in the language of the call. */
export const useDiagnose = (iccid: string) => {
  const language = useLanguage();
  return useApiQuery({
    ...queryOf(iccid, language),
    // A report is about one moment: it changes only on request, not while it is being read, even if everything else is refetched.
    staleTime: 'static',
    gcTime: 0,
  });
};
