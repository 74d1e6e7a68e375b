import { endpoints } from '@simcube/contract';
import type { ChangeEntry } from '@simcube/contract/audit';
import { scheduleModes } from '@simcube/contract/schedule';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { changeText } from '../../../lib/changes/index.ts';
import { type Format, joinList, useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { type InstantStyle, instants } from '../../../lib/time/index.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { useChangeColumns } from '../../audit-text/index.ts';
import { type ScheduleSearch, scheduleSearch } from '../search.ts';
import { weekTimeText } from '../zones.ts';

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
    query: usePageQuery(address.search, (query) =>
      endpointQuery(endpoints.schedule.listLog, { params: { scheduleId }, query }),
    ),
    columns: useChangeColumns(useLogText()),
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

/** Describes a change of a schedule. */
const useLogText = () => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  return useCallback(
    (entry: ChangeEntry): string =>
      changeText(entry, {
        labels: fieldLabels(t),
        valueText: (field, value) => valueText(field, value, { t, language, count }),
      }),
    [t, language, count],
  );
};

interface TextContext extends Pick<Format, 'language' | 'count'> {
  t: TFunction;
}

const fieldLabels = (t: TFunction): Readonly<Record<string, string>> => ({
  name: t('schedule.fields.name'),
  content: t('schedule.fields.text'),
  mode: t('schedule.fields.when'),
  run_at: t('schedule.fields.at'),
  times: t('schedule.grid'),
  first_day: t('schedule.fields.from'),
  last_day: t('schedule.fields.until'),
  time_zone: t('schedule.fields.zone'),
  group: t('schedule.report'),
  only_failures: t('schedule.onlyFailures'),
  enabled: t('schedule.states.enabled'),
  sims: t('schedule.fields.sims'),
  sims_added: t('audit.values.sims_added'),
  sims_removed: t('audit.values.sims_removed'),
  owner: t('schedule.fields.owner'),
});

/** Local times and dates of the schedule's zone, which the header's time switch does not affect. */
const dateStyles: Readonly<Record<string, readonly [style: InstantStyle, suffix: string]>> = {
  run_at: ['dateTime', 'Z'],
  first_day: ['date', 'T00:00Z'],
  last_day: ['date', 'T00:00Z'],
};

const valueText = (field: string, value: unknown, { t, language, count }: TextContext): string => {
  if (value === null) return t(field === 'group' ? 'schedule.noGroup' : 'audit.nothing');
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (Array.isArray(value)) return joinList(value.map((one) => weekTimeText(String(one), t)));
  const [style, suffix] = dateStyles[field] ?? [];
  if (style) return instants(language, 'UTC').format(`${String(value)}${suffix}`, style);
  const mode = field === 'mode' ? scheduleModes.find((one) => one === value) : undefined;
  return mode ? t(`schedule.modes.${mode}`) : String(value);
};
