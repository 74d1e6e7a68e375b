import { endpoints } from '@simcube/contract';
import type { ScheduleLogEntry } from '@simcube/contract/schedule';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { ListPanel, useList, usePageOf } from '../../../ui/list-screen/index.ts';
import { dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { type ScheduleSearch, scheduleSearch } from '../search.ts';

/** Who changed a schedule, and how. */
export const LogTab = ({
  scheduleId,
  ...address
}: SearchScreenProps<ScheduleSearch> & { scheduleId: string }) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'schedule-log',
    of: scheduleSearch,
    address,
    answer: usePageOf(address.search, (query) =>
      endpointQuery(endpoints.schedule.listLog, { params: { scheduleId }, query }),
    ),
    columns: useLogColumns(),
  });
  return (
    <ListPanel
      empty={{ title: t('schedule.logEmpty') }}
      label={t('schedule.logLabel')}
      list={list}
      rowKey={({ number }) => String(number)}
    />
  );
};

const useLogColumns = (): Column<ScheduleLogEntry>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'at',
        title: t('schedule.log.at'),
        width: dateTimeWidth,
        fixed: true,
        phone: 'aside',
        render: ({ at }) => <Time at={at} />,
      },
      {
        id: 'who',
        title: t('schedule.log.who'),
        width: 170,
        phone: 'line',
        render: ({ actor }) => actor.name,
      },
      {
        id: 'action',
        title: t('schedule.log.action'),
        width: 220,
        phone: 'heading',
        render: ({ action }) => t(`audit.actions.${action.replace('.', '-') as 'schedule-created'}`),
      },
      {
        id: 'change',
        title: t('schedule.log.change'),
        width: 420,
        phone: 'line',
        render: (entry) => {
          const text = changeText(entry, t);
          return <span title={text}>{text}</span>;
        },
      },
    ],
    [t],
  );
};

/** The fields that were changed, as they were and became; of a new one, what it was made with. */
const changeText = ({ before, after }: ScheduleLogEntry, t: TFunction): string =>
  Object.entries(after ?? before ?? {})
    .filter(([, value]) => value !== null)
    .map(([field, value]) => {
      const was = after && before?.[field] !== undefined ? `${wordOf(before[field], t)} → ` : '';
      return `${field}: ${was}${wordOf(value, t)}`;
    })
    .join('; ');

const wordOf = (value: unknown, t: TFunction): string => {
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  return Array.isArray(value) ? value.join(', ') : String(value ?? t('audit.nothing'));
};
