import { endpoints, limits } from '@simcube/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { useServerSearch } from '../../../ui/select/index.ts';

interface TransferTarget {
  code: string;
  name: string;
}

/** Characters of a search that the server accepts. */
const maxSearch = 40;

/**
 * Organisations that the person may transfer to: those where they are admin (specification, section 6), except the current one.
 * They are searched on the server, because there may be more than a select can hold; the chosen one is always an option.
 */
export const useTransferTargets = () => {
  const currentCode = session.get('partnerCode');
  const { search, showSearch } = useServerSearch(maxSearch);
  const query = {
    page_size: limits.page.sizes[3],
    administered: 'true',
    ...(search ? { search } : {}),
  } as const;
  const { data, error, isFetching, refetch } = useApiQuery({
    ...endpointQuery(endpoints.org.listMine, { query }),
    placeholderData: keepPreviousData,
  });
  const [chosen, setChosen] = useState<TransferTarget>();
  const found = data?.data.filter(({ code }) => code !== currentCode) ?? [];
  const isBeyond = chosen && search === '' && !found.some(({ code }) => code === chosen.code);
  return {
    targets: isBeyond ? [chosen, ...found] : found,
    code: chosen?.code,
    choose: (code: string) => setChosen(found.find((one) => one.code === code) ?? chosen),
    isSearch: search !== '',
    showSearch,
    isFetching,
    error: data ? null : error,
    refetch,
  };
};
