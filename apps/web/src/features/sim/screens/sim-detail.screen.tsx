import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import { useSimBasic } from '../api/use-sim.ts';
import { EventsTab } from '../components/events-tab.tsx';
import { OverviewTab } from '../components/overview-tab.tsx';
import { SessionTab } from '../components/session-tab.tsx';
import { SimFacts } from '../components/sim-facts.tsx';
import { SimMissing } from '../components/sim-missing.tsx';
import { UsageTab } from '../components/usage-tab.tsx';
import { type OnSearchChange, type SimDetailSearch, simTabs } from '../search.ts';

export interface SimDetailScreenProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

export const SimDetailScreen = ({ iccid, search, onSearchChange }: SimDetailScreenProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data: answer, error, refetch } = useSimBasic(iccid);
  useLiveSim(iccid);
  const list = `/${language}/simCard`;
  const tab = search.tab ?? 'overview';
  if (error instanceof ApiFailure && error.http === 404) return <SimMissing iccid={iccid} list={list} />;
  return (
    <Page
      facts={<SimFacts basic={answer?.data} iccid={iccid} />}
      parent={
        <>
          <Link href={list}>{t('sim.title')}</Link> ›
        </>
      }
      title={<Identifier copy label={t('sim.fields.iccid')} size="title" value={iccid} />}
    >
      {error && !answer ? (
        <Card>
          <Failure error={error} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <Tabs
          onChange={(name) => onSearchChange({ tab: name === 'overview' ? undefined : name }, 'push')}
          tabs={simTabs.map((name) => ({ name, label: t(`sim.detail.tabs.${name}`) }))}
          value={tab}
        >
          {tab === 'overview' ? (
            <OverviewTab basic={answer?.data} iccid={iccid} onSearchChange={onSearchChange} />
          ) : null}
          {tab === 'usage' ? (
            <UsageTab iccid={iccid} onSearchChange={onSearchChange} search={search} />
          ) : null}
          {tab === 'events' ? (
            <EventsTab iccid={iccid} onSearchChange={onSearchChange} search={search} />
          ) : null}
          {tab === 'session' ? <SessionTab iccid={iccid} /> : null}
        </Tabs>
      )}
    </Page>
  );
};
