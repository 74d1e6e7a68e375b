import { lifecyclesWithData } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { useSimBasic } from '../api/use-sim.ts';
import { useSimOveruse } from '../api/use-sim-detail.ts';
import { DataDetails } from '../components/data-status.tsx';
import { overageAmounts } from './overage-amounts.tsx';

/** What happens beyond the quota, and whether it applies now. */
export const OveruseCard = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimOveruse(iccid);
  const lifecycle = useSimBasic(iccid).data?.data.lifecycle;
  const mayUseData = lifecycle === undefined || lifecyclesWithData.includes(lifecycle);
  const policy = response?.data;
  return (
    <Card title={t('simTabs.overuse.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={3} />}
      {policy ? (
        <DescriptionList
          items={[
            ...(policy.overage
              ? [
                  {
                    term: t('simTabs.overuse.policy'),
                    value: t(`bundle.overage.${policy.overage.policy}`),
                  },
                  ...overageAmounts(policy.overage, t),
                  {
                    term: t('simTabs.overuse.now'),
                    value: (
                      <Status tone={policy.over_limit ? 'red' : 'teal'}>
                        {policy.over_limit ? t('simTabs.overuse.over') : t('simTabs.overuse.within')}
                      </Status>
                    ),
                  },
                ]
              : [{ term: t('simTabs.overuse.policy'), value: t('simTabs.overuse.none') }]),
            {
              term: t('sim.fields.data'),
              value: mayUseData ? <DataDetails data={policy.data} /> : '—',
            },
          ]}
        />
      ) : null}
    </Card>
  );
};
