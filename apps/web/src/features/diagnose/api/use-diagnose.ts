import { endpoints } from '@simcube/contract';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

/** A report's texts are in the language of the call. */
export const useDiagnose = (iccid: string) => {
  const language = useLanguage();
  const { queryKey, ...query } = endpointQuery(endpoints.diagnose.run, { query: { iccid } });
  return useApiQuery({
    ...query,
    queryKey: [...queryKey, language],
    // A report is about one moment: it changes only on request, not while it is being read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};
