import { iccidSchema } from '@simcube/contract';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { lazyPart } from '../../../lib/chunks/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { DiagnoseDrawer } from '../../diagnose/index.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import { useSimBasic } from '../api/use-sim.ts';
import { EventsTab } from '../components/events-tab.tsx';
import { OverviewTab } from '../components/overview-tab.tsx';
import { SimFacts } from '../components/sim-facts.tsx';
import { SimMissing } from '../components/sim-missing.tsx';
import { UsageTab } from '../components/usage-tab.tsx';
import { HeaderActions } from '../detail/header-actions.tsx';
import { SessionsTab } from '../detail/sessions-tab.tsx';
import { TraceTab } from '../detail/trace-tab.tsx';
import { type SimDetailSearch, simTabs } from '../search.ts';

// Separate from the others: they include the list of the world's countries, and the map.
const BundlesTab = lazyPart(async () => (await import('../detail/bundles-tab.tsx')).BundlesTab);
const LocationTab = lazyPart(async () => (await import('../detail/location-tab.tsx')).LocationTab);

const SimConversation = lazyPart(async () => (await import('../../sms/index.ts')).SimConversation);

export interface SimDetailScreenProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

export const SimDetailScreen = (props: SimDetailScreenProps) =>
  // Of a mistyped link: there is nothing to ask the server for.
  iccidSchema.safeParse(props.iccid).success ? <SimPage {...props} /> : <SimMissing iccid={props.iccid} />;

const SimPage = ({ iccid, search, onSearchChange }: SimDetailScreenProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data: response, error, refetch } = useSimBasic(iccid);
  useLiveSim(iccid);
  const list = `/${language}/simCard`;
  const tabProps = { iccid, search, onSearchChange };
  if (error instanceof ApiFailure && error.http === 404) return <SimMissing iccid={iccid} />;
  return (
    <Page
      actions={
        <HeaderActions
          basic={response?.data}
          iccid={iccid}
          onDiagnose={() => onSearchChange({ ...search, diagnose: 'open' }, 'push')}
          onStart={() => onSearchChange({ ...search, operation: undefined }, 'replace')}
          requested={search.operation}
        />
      }
      facts={<SimFacts basic={response?.data} iccid={iccid} />}
      name={[response?.data.device_name, iccid].filter(Boolean).join(' · ')}
      parent={
        <>
          <Link href={list}>{t('sim.title')}</Link> ›
        </>
      }
      title={<Identifier copy label={t('sim.fields.iccid')} size="title" value={iccid} />}
    >
      {error && !response ? (
        <Card>
          <Failure error={error} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <Tabs
          onChange={(name) => onSearchChange({ tab: name === 'overview' ? undefined : name }, 'push')}
          tabs={simTabs.map((name) => ({ name, label: t(`simDetail.tabs.${name}`) }))}
          value={search.tab ?? 'overview'}
        >
          <Suspense
            fallback={
              <Card>
                <Loading rows={8} />
              </Card>
            }
          >
            <OpenTab {...tabProps} basic={response?.data} />
          </Suspense>
        </Tabs>
      )}
      <Suspense fallback={null}>
        <DiagnoseDrawer
          iccid={iccid}
          onClose={() => onSearchChange({ ...search, diagnose: undefined }, 'replace')}
          open={search.diagnose === 'open'}
        />
      </Suspense>
    </Page>
  );
};

type Basic = NonNullable<ReturnType<typeof useSimBasic>['data']>['data'];

const OpenTab = ({ basic, ...tabProps }: SimDetailScreenProps & { basic: Basic | undefined }) => {
  switch (tabProps.search.tab) {
    case 'usage':
      return <UsageTab {...tabProps} />;
    case 'bundles':
      return <BundlesTab {...tabProps} />;
    case 'events':
      return <EventsTab {...tabProps} />;
    case 'trace':
      return <TraceTab {...tabProps} />;
    case 'sms':
      return <SimConversation iccid={tabProps.iccid} />;
    case 'sessions':
      return <SessionsTab {...tabProps} />;
    case 'location':
      return <LocationTab iccid={tabProps.iccid} />;
    default:
      return <OverviewTab basic={basic} iccid={tabProps.iccid} onSearchChange={tabProps.onSearchChange} />;
  }
};
