import { endpoints, limits } from '@simcube/contract';
import { scheduleModes, scheduleStates } from '@simcube/contract/schedule';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ListPanel, useFilterBuilder, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { useLiveSchedules, useScheduleColumns } from '../../schedule/index.ts';
import { type SmsSearch, searchOfTab } from '../search.ts';

/** Scheduled messages. */
export const ScheduledPanel = (address: SearchScreenProps<SmsSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  useLiveSchedules();
  const { search, state, mode } = address.search;
  const list = useList({
    name: 'schedules',
    of: searchOfTab.scheduled,
    address,
    query: usePageQuery(address.search, (page) =>
      endpointQuery(endpoints.schedule.list, {
        body: {
          ...(search === undefined ? {} : { search }),
          ...(state === undefined ? {} : { state }),
          ...(mode === undefined ? {} : { mode }),
          ...page,
        },
      }),
    ),
    columns: useScheduleColumns(),
  });
  const by = useFilterBuilder(list);
  return (
    <ListPanel
      empty={{ title: t('schedule.empty'), hint: t('schedule.emptyHint') }}
      filters={[
        by.one('state', {
          label: t('schedule.fields.state'),
          options: scheduleStates.map((value) => ({ value, label: t(`schedule.states.${value}`) })),
        }),
        by.one('mode', {
          label: t('schedule.fields.mode'),
          options: scheduleModes.map((value) => ({ value, label: t(`schedule.modes.${value}`) })),
        }),
      ]}
      label={t('schedule.one')}
      list={list}
      noMatch={{ title: t('schedule.noMatch'), hint: t('schedule.noMatchHint') }}
      quickSearch={{ placeholder: t('schedule.search'), maxLength: limits.schedules.search }}
      rowHref={({ id }) => `/${language}/scheduleSmsDetails?id=${id}`}
      rowKey={({ id }) => id}
    />
  );
};
