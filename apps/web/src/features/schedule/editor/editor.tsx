import { limits } from '@simcube/contract';
import type { Schedule, ScheduleWhen } from '@simcube/contract/schedule';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { combinedFailure } from '../../../ui/query/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { useAudience, useForecast, useRuns } from '../use-schedules.ts';
import { dayIn } from '../zones.ts';
import { completeWhen, type Draft, type Issues } from './draft.ts';
import styles from './editor.module.css';
import { NextRunsCard } from './next-runs-card.tsx';
import type { Outlook } from './outlook-state.tsx';
import { QuotaCard } from './quota-card.tsx';
import { RunReportCard } from './run-report-card.tsx';
import { TextCard } from './text-card.tsx';
import { WhenCard } from './when-card.tsx';

interface EditorProps {
  /** Undefined for a new schedule. */
  schedule: Schedule | undefined;
  draft: Draft;
  issues: Issues;
  disabled: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** The editor of a schedule with its forecast: when it runs, whom it reaches, and what it leaves of the quota. */
export const Editor = ({ schedule, draft, issues, disabled, onChange }: EditorProps) => {
  const { zone, selection } = draft;
  const scheduleId = schedule?.id;
  const audienceQuery = useAudience({ selection, scheduleId, zone });
  const audience = audienceQuery.data?.data;
  // Not a guess if it could not be counted: the quota would be shown for a number that is not true.
  const recipientCount =
    audience?.preview.changing ?? (audienceQuery.error ? undefined : listedCount(schedule, selection));
  const debounced = JSON.parse(
    useDebounced(
      JSON.stringify({ content: draft.content, when: completeWhen(draft) }),
      limits.searchDebounceMs,
    ),
  ) as { content: string; when?: ScheduleWhen };
  const forecastQuery = useForecast(
    { when: debounced.when, zone },
    { content: debounced.content, sims: recipientCount, scheduleId },
  );
  const outlook: Outlook = {
    hasTimes: debounced.when !== undefined,
    forecast: debounced.when && forecastQuery.data?.data,
    ...combinedFailure([audienceQuery, forecastQuery]),
  };
  const cardProps = { draft, issues, disabled, onChange };
  return (
    <div className={styles['editor']}>
      <div className={styles['main']}>
        <TextCard {...cardProps} matchingSims={audience?.preview.selected} storedSims={schedule?.sims ?? 0} />
        {audienceQuery.error && !audience ? (
          <Card>
            <Failure error={audienceQuery.error} onRetry={() => void audienceQuery.refetch()} small />
          </Card>
        ) : null}
        <WhenCard {...cardProps} audience={audience} />
        <RunReportCard {...cardProps} schedule={schedule} />
      </div>
      <div className={styles['side']}>
        <NextRuns draft={draft} outlook={outlook} scheduleId={scheduleId} sims={recipientCount} />
        <QuotaCard outlook={outlook} />
      </div>
    </div>
  );
};

/** The number of named SIMs, used until it is known how many are reached; undefined for a filter. */
const listedCount = (schedule: Schedule | undefined, selection: Draft['selection']): number | undefined => {
  if (!selection) return schedule?.sims ?? 0;
  return 'iccids' in selection ? selection.iccids.length : undefined;
};

type NextRunsProps = Pick<Parameters<typeof NextRunsCard>[0], 'draft' | 'outlook' | 'sims'>;

const NextRuns = ({ scheduleId, ...props }: NextRunsProps & { scheduleId: string | undefined }) => {
  const today = dayIn(new Date(useNow(60_000)).toISOString(), props.draft.zone);
  return scheduleId === undefined ? (
    <NextRunsCard {...props} past={[]} today={today} />
  ) : (
    <NextRunsWithPast {...props} scheduleId={scheduleId} today={today} />
  );
};

const NextRunsWithPast = ({
  scheduleId,
  ...props
}: NextRunsProps & { scheduleId: string; today: string }) => {
  const runs = useRuns(scheduleId).data?.data ?? [];
  return <NextRunsCard {...props} past={runs.filter(({ task }) => task !== null).map((run) => run.run_at)} />;
};
