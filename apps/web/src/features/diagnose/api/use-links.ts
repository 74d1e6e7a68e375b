import { endpoints } from '@simcube/contract';
import type { DiagnoseLink } from '@simcube/contract/diagnose';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';

const { listLinks, withdraw } = endpoints.diagnose;

interface Links {
  links: readonly DiagnoseLink[];
  /** Asks for confirmation. @returns whether the link no longer works */
  withdraw: (link: DiagnoseLink) => Promise<boolean>;
  /** Refetches them. */
  refresh: () => Promise<void>;
}

/** Valid links to reports of the SIM; none for people who may not share. */
export const useLinks = (iccid: string): Links => {
  const { t } = useTranslation();
  const format = useFormat();
  const confirm = useConfirm();
  const queries = useQueryClient();
  const { data } = useQuery({
    ...endpointQuery(listLinks, { query: { iccid } }),
    enabled: session.can('sim', 'write'),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: [listLinks.id] });
  return {
    links: data?.data ?? [],
    refresh,
    withdraw: async ({ id, made_at }) => {
      const confirmed = await confirm({
        title: t('simDetail.diagnosePage.withdrawTitle'),
        body: `${t('simDetail.diagnosePage.withdrawNamed', { made: format.exact(made_at) })}. ${t('simDetail.diagnosePage.withdrawText')}`,
        action: t('simDetail.diagnosePage.withdraw'),
        danger: true,
      });
      if (!confirmed) return false;
      const isWithdrawn = await attempt(() => call(withdraw, { params: { shareId: id } }));
      if (isWithdrawn) toast.success(t('simDetail.diagnosePage.withdrawn'));
      // In any case: the link may have expired.
      await refresh();
      return isWithdrawn;
    },
  };
};
