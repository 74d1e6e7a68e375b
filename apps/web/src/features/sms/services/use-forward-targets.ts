import { endpoints } from '@simcube/contract';
import { useCallback, useMemo } from 'react';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

/** As many as an organisation may have of a kind. */
const query = { page_size: 100 };

/** The targets that messages can be forwarded to; undefined until they are known. */
export const useForwardTargets = (): { id: string; name: string }[] | undefined => {
  const groups = useAnswer(endpointQuery(endpoints.notify.listGroups, { query })).data?.data;
  const programs = useAnswer(endpointQuery(endpoints.notify.listApiTargets, { query })).data?.data;
  return useMemo(() => groups && programs && [...groups, ...programs], [groups, programs]);
};

/** The names of targets, of which one that was removed has none. */
export const useForwardNames = (): ((ids: readonly string[]) => string) => {
  const targets = useForwardTargets();
  return useCallback(
    (ids) => ids.flatMap((id) => targets?.find((target) => target.id === id)?.name ?? []).join(', '),
    [targets],
  );
};
