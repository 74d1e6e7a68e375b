import { endpoints } from '@simcube/contract';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Where messages are forwarded: the names of the targets, of which removed ones have none; a dash until they are known. */
export const useForwardText = (): ((ids: readonly string[] | null) => string) => {
  const { t } = useTranslation();
  const { targets } = useForwardTargets();
  return useCallback(
    (ids) => {
      if (!ids || (ids.length > 0 && !targets)) return '—';
      const names = ids.flatMap((id) => targets?.find((target) => target.id === id)?.name ?? []);
      return names.join(', ') || t('sms.services.nowhere');
    },
    [t, targets],
  );
};
