import { type PoolEvent, type PoolEventGroup, poolEventGroups } from '@simcube/contract/pool';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { useEventCounts, useLatestEvents } from '../api/use-pool.ts';
import { eventTone, useEventDetail } from '../event-text.ts';
import { LimitChange } from '../events/limit-change.tsx';
import type { PoolPageSearch } from '../search.ts';
import styles from './overview.module.css';

interface EventsCardProps extends Pick<SearchScreenProps<PoolPageSearch>, 'hrefOf'> {
  poolId: string;
}

/** The latest events, each with the limit before and after. */
export const EventsCard = ({ poolId, hrefOf }: EventsCardProps) => {
  const { t } = useTranslation();
  const [group, setGroup] = useState<PoolEventGroup | 'all'>('all');
  const { data: response, error, refetch } = useLatestEvents(poolId, group === 'all' ? undefined : group);
  const counts = useEventCounts(poolId);
  return (
    <Card
      aside={
        <Segmented
          label={t('pool.events.group')}
          onChange={setGroup}
          options={(['all', ...poolEventGroups] as const).map((value) => ({
            value,
            label: <GroupLabel count={counts[value]} group={value} />,
          }))}
          small
          value={group}
        />
      }
      extra={
        <Link href={hrefOf({ tab: 'events', ...(group === 'all' ? {} : { group }) })}>
          {t('pool.events.all')}
        </Link>
      }
      title={t('pool.tabs.events')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {response || error ? null : <Loading rows={4} />}
      {response?.data.length === 0 ? <Empty small title={t('pool.events.none')} /> : null}
      <ol className={styles['events']}>
        {response?.data.map((event) => (
          <EventItem event={event} href={hrefOf({ tab: 'events', event: event.id })} key={event.id} />
        ))}
      </ol>
    </Card>
  );
};

interface GroupLabelProps {
  group: PoolEventGroup | 'all';
  count: number | null | undefined;
}

const GroupLabel = ({ group, count }: GroupLabelProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {t(`pool.events.groups.${group}`)}
      {count === null ? null : (
        <small className={styles['groupCount']}> {count === undefined ? null : format.count(count)}</small>
      )}
    </>
  );
};

const EventItem = ({ event, href }: { event: PoolEvent; href: string }) => {
  const { t } = useTranslation();
  const detail = useEventDetail();
  return (
    <li className={styles['event']}>
      <Time at={event.at} />
      <Link href={href}>
        <Status tone={eventTone(event.kind)}>{t(`pool.events.kinds.${event.kind}`)}</Status>
      </Link>
      <span className={styles['about']}>{detail(event)}</span>
      <LimitChange event={event} />
    </li>
  );
};
