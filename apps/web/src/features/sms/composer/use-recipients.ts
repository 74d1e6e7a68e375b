import { endpoints, limits } from '@simcube/contract';
import type { Preview, SimSelection } from '@simcube/contract/sim';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { useApiQuery, useFreshQuery } from '../../../ui/query/index.ts';

/** SIMs that were typed, pasted or read from a file. */
export interface ListedSims {
  /** Number of different identifiers entered. */
  entered: number;
  duplicates: number;
  tooMany: boolean;
  notFound: readonly string[];
  /** Undefined while they are being looked up. */
  iccids: readonly string[] | undefined;
}

/** Splits the ICCIDs, IMSIs or MSISDNs of a text into SIMs of the organisation and others. */
export const useListedSims = (text: string): ListedSims => {
  const allIdentifiers = splitIdentifiers(text);
  const uniqueIdentifiers = [...new Set(allIdentifiers)];
  const tooMany = uniqueIdentifiers.length > limits.sms.iccids;
  const debounced = useDebounced(uniqueIdentifiers.join(' '), limits.searchDebounceMs);
  const isSettled = debounced === uniqueIdentifiers.join(' ');
  const identifiers = debounced === '' ? [] : debounced.split(' ');
  const { data } = useApiQuery({
    ...endpointQuery(endpoints.sim.resolveIdentifiers, { body: { identifiers } }),
    enabled: identifiers.length > 0 && identifiers.length <= limits.sms.iccids,
  });
  const resolved = isSettled && !tooMany ? data?.data : undefined;
  return {
    entered: uniqueIdentifiers.length,
    duplicates: allIdentifiers.length - uniqueIdentifiers.length + (resolved?.duplicates ?? 0),
    tooMany,
    notFound: resolved?.not_found ?? [],
    iccids: uniqueIdentifiers.length === 0 ? [] : resolved?.iccids,
  };
};

/** The recipients do not depend on the text, so typing does not request them again. */
const anyText = '.';

/** How many of the SIMs a message would reach, and why not the others. */
export const useRecipientPreview = (selection: SimSelection | undefined) =>
  useFreshQuery<Preview | null>({
    key: ['sms.reached', selection],
    request: async (signal) => {
      if (!selection) return null;
      const body = { selection, content: anyText, preview: true };
      return (await call(endpoints.sms.send, { body, signal, announce: false })).data.preview;
    },
    enabled: selection !== undefined,
  });
