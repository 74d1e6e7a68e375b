import { endpoints } from '@simcube/contract';
import type { Schedule, ScheduleRun } from '@simcube/contract/schedule';
import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { Time, useZoneName } from '../../../ui/time/index.ts';
import { Delivered, failedCountOf, TaskLink, useDurationText } from '../runs.tsx';
import { useRuns } from '../use-schedules.ts';
import styles from './editor.module.css';
import type { EditorCardProps } from './text-card.tsx';

type RunReportCardProps = Pick<EditorCardProps, 'draft' | 'disabled' | 'onChange'> & {
  schedule: Schedule | undefined;
};

/** Who gets a report of each run, and the outcomes of the last ones. */
export const RunReportCard = ({ schedule, draft, disabled, onChange }: RunReportCardProps) => {
  const { t } = useTranslation();
  return (
    <Card title={t('schedule.after')}>
      <div className={styles['report']}>
        <GroupChoice disabled={disabled} draft={draft} onChange={onChange} schedule={schedule} />
        <Checkbox
          checked={draft.onlyFailures}
          disabled={disabled || draft.groupId === null}
          onChange={({ target }) => onChange({ onlyFailures: target.checked })}
        >
          {t('schedule.onlyFailures')}
        </Checkbox>
      </div>
      {schedule ? <LastRuns scheduleId={schedule.id} /> : null}
    </Card>
  );
};

const GroupChoice = ({ schedule, draft, disabled, onChange }: RunReportCardProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.schedule.listGroups),
    enabled: session.can('cube-schedule-sms', 'operate'),
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} small />;
  const currentGroup = schedule?.group;
  const groups = data?.data ?? (currentGroup ? [{ id: currentGroup.id, name: currentGroup.name }] : []);
  const addressCount =
    data?.data.find(({ id }) => id === draft.groupId)?.addresses ?? currentGroup?.addresses;
  return (
    <span className={styles['inline']}>
      <Checkbox
        checked={draft.groupId !== null}
        disabled={disabled || groups.length === 0}
        onChange={({ target }) => onChange({ groupId: target.checked ? (groups[0]?.id ?? null) : null })}
      >
        {t('schedule.report')}
      </Checkbox>
      {draft.groupId === null ? (
        <span className={styles['faint']}>
          {data?.data.length === 0 ? t('schedule.noGroups') : t('schedule.noGroup')}
          {data?.data.length === 0 && session.can('account', 'read') ? (
            <>
              {' '}
              <Link href={`/${language}/setCard?tab=groups`}>{t('settings.tabs.groups')}</Link>
            </>
          ) : null}
        </span>
      ) : (
        <>
          <Select
            aria-label={t('schedule.report')}
            disabled={disabled}
            onChange={(groupId: string) => onChange({ groupId })}
            options={groups.map(({ id, name }) => ({ value: id, label: name }))}
            style={{ minWidth: 130 }}
            value={draft.groupId}
          />
          {addressCount === undefined ? null : (
            <span className={styles['faint']}>
              {t('schedule.addresses', { count: addressCount, shown: count(addressCount) })}
            </span>
          )}
        </>
      )}
    </span>
  );
};

const shownRunCount = 3;

const LastRuns = ({ scheduleId }: { scheduleId: string }) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const zoneName = useZoneName();
  const { data, error, refetch } = useRuns(scheduleId);
  const runs = data?.data;
  if (!runs)
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} small />
    ) : (
      <Loading rows={shownRunCount} />
    );
  if (runs.length === 0) return <p className={styles['faint']}>{t('schedule.noRuns')}</p>;
  const total = data.totalCount ?? runs.length;
  return (
    <div className={styles['scroll']}>
      <SmallTable>
        <thead>
          <tr>
            <th>{t('schedule.lastRuns', { zone: zoneName })}</th>
            <th>{t('schedule.runs.delivered')}</th>
            <th data-end="true">{t('schedule.runs.replies')}</th>
            <th data-end="true">{t('schedule.runs.failed')}</th>
            <th data-end="true">{t('schedule.runs.took')}</th>
            <th data-end="true">{t('schedule.runs.task')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, shownRunCount).map((run) => (
            <RunRow key={run.run_at} run={run} />
          ))}
        </tbody>
      </SmallTable>
      {total > shownRunCount ? (
        <Link href={`/${language}/scheduleSmsDetails?id=${scheduleId}&tab=runs`}>
          {t('schedule.allRuns', { shown: count(total) })}
        </Link>
      ) : null}
    </div>
  );
};

const RunRow = ({ run }: { run: ScheduleRun }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const durationText = useDurationText();
  const { run_at, state, replies, task } = run;
  const failedCount = failedCountOf(run);
  if (task === null)
    return (
      <tr>
        <td>
          <Time at={run_at} />
        </td>
        <td colSpan={5} title={run.message ?? undefined}>
          {t(`schedule.runStates.${state}`)}
          {run.message === null ? null : <span className={styles['faint']}> · {run.message}</span>}
        </td>
      </tr>
    );
  return (
    <tr>
      <td>
        <Time at={run_at} />
      </td>
      <td>
        <Delivered run={run} />
      </td>
      <td data-end="true">{count(replies)}</td>
      <td data-bad={failedCount > 0 ? 'true' : undefined} data-end="true">
        {count(failedCount)}
      </td>
      <td data-end="true">{durationText(run)}</td>
      <td data-end="true">
        <TaskLink task={task} />
      </td>
    </tr>
  );
};
