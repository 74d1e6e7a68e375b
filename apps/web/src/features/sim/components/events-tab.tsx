import type { SimEvent } from '@simcube/contract/sim';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { pagesSearch } from '../../../lib/search-params/list-search.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { ListTable, useList } from '../../../ui/list-screen/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { dateSecondsWidth, Time } from '../../../ui/time/index.ts';
import { useSimEvents } from '../api/use-sim.ts';
import { describeEvent } from '../event-text.ts';
import type { SimDetailSearch } from '../search.ts';

interface EventsTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

export const EventsTab = ({ iccid, ...address }: EventsTabProps) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'sim-events',
    of: pagesSearch,
    address,
    query: useSimEvents(iccid, address.search),
    columns: useEventColumns(),
  });
  return (
    <ListTable
      empty={{ title: t('sim.events.none'), hint: t('sim.events.noneHint') }}
      label={t('sim.events.label')}
      list={list}
      rowKey={({ id }) => id}
    />
  );
};

const useEventColumns = (): Column<SimEvent>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t('sim.events.time'),
        width: dateSecondsWidth,
        fixed: true,
        phone: 'aside',
        render: ({ at }) => <Time at={at} style="dateSeconds" />,
      },
      {
        id: 'event',
        title: t('sim.events.event'),
        width: 170,
        phone: 'heading',
        render: (event) => {
          const { title, tone } = describeEvent(event, { t, format });
          return <Status tone={tone}>{title}</Status>;
        },
      },
      {
        id: 'facts',
        title: t('sim.events.facts'),
        width: 518,
        phone: 'line',
        render: (event) => {
          const { detail, exact } = describeEvent(event, { t, format });
          return <span title={exact}>{detail || '—'}</span>;
        },
      },
      {
        id: 'actor',
        title: t('sim.events.actor'),
        width: 120,
        phone: 'line',
        render: ({ actor }) => actor ?? t('sim.events.system'),
      },
      {
        id: 'trace',
        title: t('sim.events.trace'),
        width: 180,
        render: ({ trace_id: trace }) =>
          trace === null ? '—' : <Identifier copy label={t('sim.events.trace')} value={trace} />,
      },
    ],
    [t, format],
  );
};
