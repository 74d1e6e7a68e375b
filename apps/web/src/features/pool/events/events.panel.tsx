import { endpoints } from '@simcube/contract';
import { type PoolEvent, poolEventGroups, poolEventKinds } from '@simcube/contract/pool';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { Link } from '../../../ui/link/index.ts';
import {
  type List,
  ListPanel,
  useFilterBuilder,
  useList,
  usePageQuery,
} from '../../../ui/list-screen/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { eventTone, useEventDetail } from '../event-text.ts';
import { type PoolPageSearch, poolPageSearch } from '../search.ts';
import { EventDrawer } from './event-drawer.tsx';
import { LimitChange } from './limit-change.tsx';

interface EventsProps extends SearchScreenProps<PoolPageSearch> {
  poolId: string;
}

/** Events of the whole pool, with figures before and after, and who caused them. */
export const EventsPanel = ({ poolId, ...address }: EventsProps) => {
  const { t } = useTranslation();
  const { group, kind } = address.search;
  const list = useList({
    name: 'pool-events',
    of: poolPageSearch,
    address,
    query: usePageQuery(address.search, ({ page_no, page_size, cursor }) =>
      endpointQuery(endpoints.pool.events, { query: { poolId, group, kind, page_no, page_size, cursor } }),
    ),
    columns: useEventColumns(),
  });
  return (
    <ListPanel
      empty={{ title: t('pool.events.none') }}
      filters={useEventFilters(list)}
      label={t('pool.events.label')}
      list={list}
      noMatch={{ title: t('pool.events.noMatch'), hint: t('pool.events.noMatchHint') }}
      rowHref={({ id }) => list.hrefWith({ event: id })}
      rowKey={({ id }) => id}
    >
      <EventDrawer id={list.search.event} onClose={list.close} />
    </ListPanel>
  );
};

const useEventFilters = (list: List<PoolEvent, PoolPageSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  return [
    by.one('group', {
      label: t('pool.events.group'),
      options: poolEventGroups.map((value) => ({ value, label: t(`pool.events.groups.${value}`) })),
    }),
    by.one('kind', {
      label: t('pool.events.kind'),
      options: poolEventKinds.map((value) => ({
        value,
        label: t(`pool.events.kinds.${value}`),
        tone: eventTone(value),
      })),
    }),
  ];
};

const useEventColumns = (): Column<PoolEvent>[] => {
  const { t } = useTranslation();
  const detail = useEventDetail();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t('pool.activity.time'),
        width: dateTimeWidth,
        fixed: true,
        phone: 'aside',
        render: ({ at }) => <Time at={at} />,
      },
      {
        id: 'kind',
        title: t('pool.events.kind'),
        width: 190,
        phone: 'heading',
        render: ({ kind }, href) => (
          <Link href={href}>
            <Status tone={eventTone(kind)}>{t(`pool.events.kinds.${kind}`)}</Status>
          </Link>
        ),
      },
      {
        id: 'about',
        title: t('pool.events.what'),
        width: 380,
        phone: 'line',
        render: (event) => <span title={detail(event)}>{detail(event)}</span>,
      },
      {
        id: 'limit',
        title: t('pool.limit.limit'),
        width: 170,
        align: 'end',
        phone: 'line',
        render: (event) => <LimitChange event={event} />,
      },
      {
        id: 'used',
        title: t('pool.members.used'),
        width: 110,
        align: 'end',
        render: ({ used_bytes: used }) => <Bytes value={used} />,
      },
    ],
    [t, detail],
  );
};
