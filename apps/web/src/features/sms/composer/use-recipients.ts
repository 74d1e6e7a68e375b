import { endpoints, limits } from '@simcube/contract';
import type { Preview, SimSelection } from '@simcube/contract/sim';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { useAnswer, useAnswerNow } from '../../../ui/answer/index.ts';

/** SIMs that were typed, pasted or read from a file. */
export interface Listed {
  /** Number of different identifiers entered. */
  entered: number;
  twice: number;
  tooMany: boolean;
  notFound: readonly string[];
  /** Undefined while they are being looked up. */
  iccids: readonly string[] | undefined;
}

/** Splits the ICCIDs, IMSIs or MSISDNs of a text into SIMs of the organisation and others. */
export const useListed = (text: string): Listed => {
  const typed = splitIdentifiers(text);
  const each = [...new Set(typed)];
  const tooMany = each.length > limits.sms.iccids;
  const wanted = useDebounced(each.join(' '), limits.searchDebounceMs);
  const isSettled = wanted === each.join(' ');
  const identifiers = wanted === '' ? [] : wanted.split(' ');
  const { data } = useAnswer({
    ...endpointQuery(endpoints.sim.resolveIdentifiers, { body: { identifiers } }),
    enabled: identifiers.length > 0 && identifiers.length <= limits.sms.iccids,
  });
  const found = isSettled && !tooMany ? data?.data : undefined;
  return {
    entered: each.length,
    twice: typed.length - each.length + (found?.duplicates ?? 0),
    tooMany,
    notFound: found?.not_found ?? [],
    iccids: each.length === 0 ? [] : found?.iccids,
  };
};

/** The recipients do not depend on the text, so typing does not request them again. */
const anyText = '.';

/** How many of the SIMs a message would reach, and why not the others. */
export const useReached = (selection: SimSelection | undefined) =>
  useAnswerNow<Preview | null>({
    key: ['sms.reached', selection],
    ask: async (signal) => {
      if (!selection) return null;
      const body = { selection, content: anyText, preview: true };
      return (await call(endpoints.sms.send, { body, signal, announce: false })).data.preview;
    },
    enabled: selection !== undefined,
  });
