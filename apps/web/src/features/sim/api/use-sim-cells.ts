import { endpoints } from '@simcube/contract';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

/** The cells in which a SIM used data, in the longest span of CDRs. Apart, because no other part of a SIM's page needs their calls. */
export const useSimCells = (iccid: string) =>
  useApiQuery(endpointQuery(endpoints.cdr.listCells, { query: { iccid } }));
