import { type PoolDetail, poolIdSchema } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Tabs } from '../../../ui/tabs/index.ts';
import { AsOf } from '../../../ui/time/index.ts';
import { ActivityPanel } from '../activity/activity.panel.tsx';
import { useLatestEvents, useLivePool, usePoolDetail } from '../api/use-pool.ts';
import { EventsPanel } from '../events/events.panel.tsx';
import { PoolState } from '../list/pool-parts.tsx';
import { MembersPanel } from '../members/members.panel.tsx';
import { OverviewTab } from '../overview/overview-tab.tsx';
import { type PoolPageSearch, type PoolTab, poolTabs } from '../search.ts';
import { SettingsPanel } from '../settings/settings-panel.tsx';
import { PoolActions } from './pool-actions.tsx';

export interface PoolScreenProps extends SearchScreenProps<PoolPageSearch> {
  poolId: string;
}

/** One shared pool: how much is left and for how long, its SIMs, the parts of its limit, and its events. */
export const PoolScreen = (props: PoolScreenProps) =>
  poolIdSchema.safeParse(props.poolId).success ? <PoolPage {...props} /> : <PoolMissing />;

const PoolPage = ({ poolId, ...address }: PoolScreenProps) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = usePoolDetail(poolId);
  useLivePool(poolId);
  const pool = response?.data;
  if (error instanceof ApiFailure && error.http === 404) return <PoolMissing />;
  return (
    <Page
      actions={
        pool ? (
          <PoolActions onRename={() => address.onSearchChange({ tab: 'settings' }, 'push')} pool={pool} />
        ) : null
      }
      facts={pool ? <Facts asOf={response.asOf} pool={pool} /> : null}
      fill={isList(address.search.tab)}
      name={pool?.name ?? t('shell.menu.pools')}
      parent={<PoolsLink />}
      title={pool?.name ?? t('pool.one')}
    >
      {error && !response ? (
        <Card>
          <Failure error={error} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <PoolTabs {...address} pool={pool} poolId={poolId} />
      )}
    </Page>
  );
};

/** Tabs whose table scrolls inside its card, below its header. */
const isList = (tab: PoolTab | undefined): boolean => tab === 'sims' || tab === 'events';

const PoolsLink = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <Link href={`/${language}/shared`}>{t('shell.menu.pools')}</Link> ›
    </>
  );
};

const Facts = ({ pool, asOf }: { pool: PoolDetail; asOf: string | null }) => {
  const { t } = useTranslation();
  return (
    <>
      <Pill>{t('sim.bundleType.postpaid shared')}</Pill>
      <PoolState pool={pool} />
      <AsOf at={asOf} />
    </>
  );
};

const PoolTabs = ({ pool, ...props }: PoolScreenProps & { pool: PoolDetail | undefined }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data: events } = useLatestEvents(props.poolId);
  const counts: Partial<Record<PoolTab, number | null | undefined>> = {
    sims: pool?.sims,
    events: events?.totalCount,
  };
  return (
    <Tabs
      fill={isList(props.search.tab)}
      onChange={(name) => props.onSearchChange({ tab: name === 'overview' ? undefined : name }, 'push')}
      tabs={poolTabs.map((name) => ({
        name,
        label: t(`pool.tabs.${name}`),
        count: typeof counts[name] === 'number' ? count(counts[name]) : undefined,
      }))}
      value={props.search.tab ?? 'overview'}
    >
      <OpenTab {...props} pool={pool} />
    </Tabs>
  );
};

const OpenTab = ({ pool, ...props }: PoolScreenProps & { pool: PoolDetail | undefined }) => {
  switch (props.search.tab) {
    case 'sims':
      return <MembersPanel pool={pool} {...props} />;
    case 'settings':
      return <SettingsPanel pool={pool} poolId={props.poolId} />;
    case 'activity':
      return <ActivityPanel {...props} />;
    case 'events':
      return <EventsPanel {...props} />;
    default:
      return <OverviewTab pool={pool} {...props} />;
  }
};

/** The pool does not exist, or belongs to another organisation. */
const PoolMissing = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <Page parent={<PoolsLink />} title={t('pool.missing')}>
      <Card>
        <Empty
          action={<Link href={`/${language}/shared`}>{t('pool.backToList')}</Link>}
          hint={t('pool.missingHint')}
          title={t('pool.missing')}
        />
      </Card>
    </Page>
  );
};
