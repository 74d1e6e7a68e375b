import { endpoints } from '@simcube/contract';
import type { ScheduleRun } from '@simcube/contract/schedule';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { Delivered, failedCountOf, TaskLink, useDurationText } from '../runs.tsx';
import { type ScheduleSearch, scheduleSearch } from '../search.ts';

/** All runs of a schedule with the outcome of their messages. */
export const RunsTab = ({
  scheduleId,
  ...address
}: SearchScreenProps<ScheduleSearch> & { scheduleId: string }) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'schedule-runs',
    of: scheduleSearch,
    address,
    query: usePageQuery(address.search, (query) =>
      endpointQuery(endpoints.schedule.listRuns, { params: { scheduleId }, query }),
    ),
    columns: useRunColumns(),
  });
  return (
    <ListPanel
      empty={{ title: t('schedule.noRuns') }}
      label={t('schedule.tabs.runs')}
      list={list}
      rowKey={({ run_at: at }) => at}
    />
  );
};

const tones: Record<ScheduleRun['state'], Tone> = {
  running: 'teal',
  ended: 'grey',
  missed: 'orange',
  refused: 'red',
};

const useRunColumns = (): Column<ScheduleRun>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const durationText = useDurationText();
  return useMemo(() => {
    /** A figure of runs that began; the others have none. */
    const figure = (id: 'replies' | 'failed', of: (run: ScheduleRun) => number): Column<ScheduleRun> => ({
      id,
      title: t(`schedule.runs.${id}`),
      width: 100,
      align: 'end',
      phone: 'line',
      phoneWhen: ({ task }) => task !== null,
      render: (run) => (run.task === null ? '—' : count(of(run))),
    });
    return [
      {
        id: 'run',
        title: t('schedule.run'),
        width: dateTimeWidth,
        fixed: true,
        phone: 'heading',
        render: ({ run_at: at }) => <Time at={at} />,
      },
      {
        id: 'state',
        title: t('schedule.fields.state'),
        width: 260,
        phone: 'line',
        render: ({ state, message }) => (
          <span title={message ?? undefined}>
            <Status live={state === 'running'} tone={tones[state]}>
              {[t(`schedule.runStates.${state}`), message].filter(Boolean).join(' · ')}
            </Status>
          </span>
        ),
      },
      {
        id: 'delivered',
        title: t('schedule.runs.delivered'),
        width: 210,
        phone: 'line',
        phoneWhen: ({ task }) => task !== null,
        render: (run) => (run.task === null ? '—' : <Delivered run={run} />),
      },
      figure('replies', ({ replies }) => replies),
      figure('failed', failedCountOf),
      {
        id: 'took',
        title: t('schedule.runs.took'),
        width: 110,
        align: 'end',
        phone: 'line',
        phoneWhen: ({ task }) => task !== null,
        render: (run) => (run.task === null ? '—' : durationText(run)),
      },
      {
        id: 'task',
        title: t('schedule.runs.task'),
        width: 120,
        phone: 'aside',
        render: ({ task }) => (task === null ? '—' : <TaskLink task={task} />),
      },
    ];
  }, [t, count, durationText]);
};
