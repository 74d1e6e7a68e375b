import { endpoints } from '@simcube/contract';
import type { ScheduleWhen } from '@simcube/contract/schedule';
import type { SimSelection } from '@simcube/contract/sim';
import { smsContentSchema } from '@simcube/contract/sms';
import { keepPreviousData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useLive } from '../../lib/live/index.ts';
import { session } from '../../lib/session/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';
import { useThrottled } from '../../ui/throttle/index.ts';
import { hasNoRecipients } from './editor/draft.ts';

export const maySend = (): boolean => session.can('cube-schedule-sms', 'operate');

export const useSchedule = (scheduleId: string) =>
  useApiQuery(endpointQuery(endpoints.schedule.detail, { params: { scheduleId } }));

export const useRuns = (scheduleId: string) =>
  useApiQuery(
    endpointQuery(endpoints.schedule.listRuns, { params: { scheduleId }, query: { page_size: 10 } }),
  );

interface ScheduleTimes {
  when: ScheduleWhen | undefined;
  zone: string;
}

/** Refetch interval: the next runs pass while a page is open. */
const forecastIntervalMs = 60_000;

/** The forecast for the times, requested again with each change. */
export const useForecast = (
  { when, zone }: ScheduleTimes,
  {
    content,
    sims,
    scheduleId,
  }: { content: string; sims: number | undefined; scheduleId: string | undefined },
) =>
  useApiQuery({
    ...endpointQuery(endpoints.schedule.forecast, {
      body: {
        when: when ?? { mode: 'once', at: '2000-01-01T00:00' },
        time_zone: zone,
        sims: sims ?? 0,
        // The runs and the quota do not wait until an invalid text is corrected.
        ...(smsContentSchema.safeParse(content).success ? { content } : {}),
        ...(scheduleId === undefined ? {} : { scheduleId }),
      },
    }),
    // Without the number of SIMs, the remaining quota would be overestimated.
    enabled: when !== undefined && sims !== undefined,
    refetchInterval: forecastIntervalMs,
    placeholderData: keepPreviousData,
  });

/** When the SIMs are online: those of a selection, or the schedule's stored ones. Not shown to people who may not send. */
export const useAudience = ({
  selection,
  scheduleId,
  zone,
}: {
  selection: SimSelection | undefined;
  scheduleId: string | undefined;
  zone: string;
}) =>
  useApiQuery({
    ...endpointQuery(endpoints.schedule.audience, {
      body: {
        time_zone: zone,
        ...(selection ? { selection } : {}),
        ...(!selection && scheduleId !== undefined ? { scheduleId } : {}),
      },
    }),
    enabled: maySend() && (selection ? !hasNoRecipients(selection) : scheduleId !== undefined),
    placeholderData: keepPreviousData,
  });

const { list, detail, listRuns, listSims, listLog } = endpoints.schedule;

export const refetchSchedules = (queries: QueryClient): void => {
  for (const { id } of [list, detail, listRuns, listSims, listLog])
    void queries.invalidateQueries({ queryKey: [id] });
};

const refetchIntervalMs = 1500;

/** Keeps runs and their messages up to date. */
export const useLiveSchedules = (): void => {
  const queries = useQueryClient();
  const refetch = useThrottled(() => refetchSchedules(queries), refetchIntervalMs);
  useLive('sms.changed', refetch);
  useLive('task.progress', refetch);
  useLive('stream.reset', refetch);
};
