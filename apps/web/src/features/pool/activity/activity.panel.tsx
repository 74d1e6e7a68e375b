import { endpoints } from '@simcube/contract';
import type { PoolActivity, PoolActivityKind } from '@simcube/contract/pool';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListTable, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { type PoolPageSearch, poolPageSearch } from '../search.ts';
import styles from './activity.module.css';
import { DaysCard } from './days-card.tsx';
import { HoursCard } from './hours-card.tsx';

interface ActivityProps extends SearchScreenProps<PoolPageSearch> {
  poolId: string;
}

/** Usage by day and by hour, and events of single SIMs. */
export const ActivityPanel = ({ poolId, ...address }: ActivityProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const list = useList({
    name: 'pool-activity',
    of: poolPageSearch,
    address,
    query: usePageQuery(address.search, ({ page_no, page_size, cursor }) =>
      endpointQuery(endpoints.pool.activity, { params: { poolId }, query: { page_no, page_size, cursor } }),
    ),
    columns: useActivityColumns(),
  });
  const { day } = address.search;
  return (
    <div className={styles['activity']}>
      <div className={styles['charts']}>
        <DaysCard hrefOf={(chosen) => list.hrefWith({ day: chosen })} poolId={poolId} />
        <HoursCard day={day} poolId={poolId} />
      </div>
      <ListTable
        empty={{ title: t('pool.activity.none'), hint: t('pool.activity.noneHint') }}
        label={t('pool.activity.label')}
        list={list}
        rowHref={({ iccid }) => `/${language}/simCard/${encodeURIComponent(iccid)}`}
        rowKey={({ iccid, at, kind }) => `${at} ${iccid} ${kind}`}
      />
    </div>
  );
};

const tones: Record<PoolActivityKind, Tone> = {
  joined: 'purple',
  activated: 'teal',
  left: 'grey',
  stopped: 'red',
  back: 'teal',
};

const useActivityColumns = (): Column<PoolActivity>[] => {
  const { t } = useTranslation();
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
        title: t('pool.activity.what'),
        width: 200,
        phone: 'heading',
        render: ({ kind }) => <Status tone={tones[kind]}>{t(`pool.activity.kinds.${kind}`)}</Status>,
      },
      {
        id: 'iccid',
        title: t('sim.columns.iccid'),
        width: 190,
        phone: 'line',
        render: ({ iccid }, href) => (
          <Link href={href}>
            <Identifier emphasis label={t('sim.columns.iccid')} value={iccid} />
          </Link>
        ),
      },
      {
        id: 'device',
        title: t('pool.members.device'),
        width: 200,
        phone: 'line',
        phoneWhen: ({ device_name: name }) => name !== null,
        render: ({ device_name: name }) => name ?? '—',
      },
      {
        id: 'by',
        title: t('pool.activity.by'),
        width: 180,
        phone: 'line',
        render: ({ by }) => by ?? t('sim.events.system'),
      },
      {
        id: 'task',
        title: t('pool.activity.task'),
        width: 130,
        phone: 'line',
        phoneWhen: ({ task }) => task !== null,
        render: ({ task }) => task ?? '—',
      },
    ],
    [t],
  );
};
