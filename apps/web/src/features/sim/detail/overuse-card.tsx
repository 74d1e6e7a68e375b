import { useTranslation } from 'react-i18next';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { useSimOveruse } from '../api/use-sim-detail.ts';

const tones = { open: 'teal', slowed: 'orange', stopped: 'red' } as const satisfies Record<string, Tone>;

/** What happens beyond the quota, and whether it applies now. */
export const OveruseCard = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimOveruse(iccid);
  const policy = response?.data;
  return (
    <Card title={t('simTabs.overuse.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={3} />}
      {policy && policy.policy === null ? <Empty small title={t('simTabs.overuse.none')} /> : null}
      {policy?.policy ? (
        <DescriptionList
          items={[
            { term: t('simTabs.overuse.policy'), value: t(`bundle.overage.${policy.policy}`) },
            ...(policy.slow_kbps === null
              ? []
              : [
                  {
                    term: t('simTabs.overuse.speed'),
                    value: t('simTabs.overuse.kbps', { kbps: policy.slow_kbps }),
                  },
                ]),
            ...(policy.threshold_bytes === null
              ? []
              : [
                  {
                    term: t('simTabs.overuse.threshold'),
                    value: <Bytes value={policy.threshold_bytes} />,
                  },
                ]),
            {
              term: t('simTabs.overuse.now'),
              value: (
                <Status tone={policy.over_limit ? 'red' : 'teal'}>
                  {policy.over_limit ? t('simTabs.overuse.over') : t('simTabs.overuse.within')}
                </Status>
              ),
            },
            {
              term: t('simTabs.overuse.data'),
              value: (
                <Status tone={tones[policy.data_state]}>
                  {t(`sim.detail.dataState.${policy.data_state}`)}
                </Status>
              ),
            },
          ]}
        />
      ) : null}
    </Card>
  );
};
