import { endpoints } from '@simcube/contract';
import { useCallback, useMemo } from 'react';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { combinedFailure, useApiQuery } from '../../../ui/query/index.ts';

/** The maximum number that an organisation may have of a kind. */
const query = { page_size: 100 };

/** The targets that messages can be forwarded to; undefined until known, with the error if they could not be read. */
export const useForwardTargets = () => {
  const groups = useApiQuery(endpointQuery(endpoints.notify.listGroups, { query }));
  const programs = useApiQuery(endpointQuery(endpoints.notify.listApiTargets, { query }));
  const [groupRows, programRows] = [groups.data?.data, programs.data?.data];
  const targets = useMemo(
    (): { id: string; name: string }[] | undefined =>
      groupRows && programRows && [...groupRows, ...programRows],
    [groupRows, programRows],
  );
  return { targets, ...combinedFailure([groups, programs]) };
};

/** The names of targets; removed ones have none. */
export const useForwardNames = (): ((ids: readonly string[]) => string) => {
  const { targets } = useForwardTargets();
  return useCallback(
    (ids) => ids.flatMap((id) => targets?.find((target) => target.id === id)?.name ?? []).join(', '),
    [targets],
  );
};
