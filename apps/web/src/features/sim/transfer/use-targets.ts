import { endpoints, isAdmin, limits } from '@simcube/contract';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

/**
 * Organisations that the person may transfer to: those where they are admin (specification, section 6), except the current one.
 */
export const useTransferTargets = () => {
  const currentCode = session.get('partnerCode');
  const query = { page_no: 1, page_size: limits.page.sizes[3] };
  const { data, error, refetch } = useApiQuery(endpointQuery(endpoints.org.listMine, { query }));
  return {
    targets: data?.data.filter(({ code, role }) => code !== currentCode && isAdmin(role)),
    error,
    refetch,
  };
};
