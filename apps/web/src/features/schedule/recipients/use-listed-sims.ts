import { endpoints, limits } from '@simcube/contract';
import { type ApiFailure, endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

/** SIMs that were typed, pasted or read from a file. */
export interface ListedSims {
  /** Number of different identifiers entered. */
  entered: number;
  duplicates: number;
  tooMany: boolean;
  notFound: readonly string[];
  /** Undefined while they are being looked up. */
  iccids: readonly string[] | undefined;
  /** Why they could not be looked up. */
  error: ApiFailure | null;
  retry: () => void;
}

const { resolveIdentifiers } = endpoints.sim;
const identifierSchema = resolveIdentifiers.body.shape.identifiers.element;

/** Splits the ICCIDs, IMSIs or MSISDNs of a text into SIMs of the organisation and others. */
export const useListedSims = (text: string): ListedSims => {
  const allIdentifiers = splitIdentifiers(text);
  const uniqueIdentifiers = [...new Set(allIdentifiers)];
  // A longer one, such as a URL next to the number, is no identifier: the server would refuse all of them.
  const [searchable, others] = partition(uniqueIdentifiers, (one) => identifierSchema.safeParse(one).success);
  const tooMany = uniqueIdentifiers.length > limits.sms.iccids;
  const debounced = useDebounced(searchable.join(' '), limits.searchDebounceMs);
  const isSettled = debounced === searchable.join(' ');
  const identifiers = debounced === '' ? [] : debounced.split(' ');
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(resolveIdentifiers, { body: { identifiers } }),
    enabled: identifiers.length > 0 && identifiers.length <= limits.sms.iccids,
  });
  const resolved = isSettled && !tooMany ? data?.data : undefined;
  return {
    entered: uniqueIdentifiers.length,
    duplicates: allIdentifiers.length - uniqueIdentifiers.length + (resolved?.duplicates ?? 0),
    tooMany,
    notFound: [...others, ...(resolved?.not_found ?? [])],
    iccids: searchable.length === 0 ? [] : resolved?.iccids,
    error: isSettled && !resolved ? error : null,
    retry: () => void refetch(),
  };
};

const partition = <T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
];
