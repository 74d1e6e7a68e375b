import { endpoints } from '@simcube/contract';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

/** Its sentences come in the language of the call. */
export const useDiagnose = (iccid: string) => {
  const language = useLanguage();
  const { queryKey, ...query } = endpointQuery(endpoints.diagnose.run, { query: { iccid } });
  return useAnswer({
    ...query,
    queryKey: [...queryKey, language],
    // A report is of one moment: it changes when it is asked for, not under the reader's eyes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};
