import { limits } from '@simcube/contract';
import type { Schedule, ScheduleWhen } from '@simcube/contract/schedule';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { useAudience, useForecast, useRuns } from '../use-schedules.ts';
import { dayIn } from '../zones.ts';
import { completeWhen, type Draft, type Issues } from './draft.ts';
import styles from './editor.module.css';
import { NextRunsCard } from './next-runs-card.tsx';
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
  const { data: response, error } = useAudience({ selection, scheduleId, zone });
  const audience = response?.data;
  const recipientCount = audience?.preview.changing ?? (error ? 0 : listedCount(schedule, selection));
  const debounced = JSON.parse(
    useDebounced(
      JSON.stringify({ content: draft.content, when: completeWhen(draft) }),
      limits.searchDebounceMs,
    ),
  ) as { content: string; when?: ScheduleWhen };
  const forecast = useForecast(
    { when: debounced.when, zone },
    { content: debounced.content, sims: recipientCount, scheduleId },
  ).data?.data;
  const cardProps = { draft, issues, disabled, onChange };
  return (
    <div className={styles['editor']}>
      <div className={styles['main']}>
        <TextCard {...cardProps} matchingSims={audience?.preview.selected} storedSims={schedule?.sims ?? 0} />
        <WhenCard {...cardProps} audience={audience} />
        <RunReportCard {...cardProps} schedule={schedule} />
      </div>
      <div className={styles['side']}>
        <NextRuns
          draft={draft}
          forecast={debounced.when ? forecast : undefined}
          scheduleId={scheduleId}
          sims={recipientCount}
        />
        <QuotaCard forecast={debounced.when ? forecast : undefined} hasTimes={debounced.when !== undefined} />
      </div>
    </div>
  );
};

/** The number of named SIMs, used until it is known how many are reached; undefined for a filter. */
const listedCount = (schedule: Schedule | undefined, selection: Draft['selection']): number | undefined => {
  if (!selection) return schedule?.sims ?? 0;
  return 'iccids' in selection ? selection.iccids.length : undefined;
};

type NextRunsProps = Pick<Parameters<typeof NextRunsCard>[0], 'draft' | 'forecast' | 'sims'>;

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
