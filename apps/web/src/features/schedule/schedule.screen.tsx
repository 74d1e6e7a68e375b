import { endpoints } from '@simcube/contract';
import type { Schedule } from '@simcube/contract/schedule';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, attempt, call } from '../../lib/api-client/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { useSubmit } from '../../lib/submit/index.ts';
import { deviceTimeZone, now } from '../../lib/time/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { ActionMenu } from '../../ui/action-menu/index.ts';
import { Card } from '../../ui/card/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure, Refusal } from '../../ui/failure/index.ts';
import { focusFirstInvalid } from '../../ui/focus/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Page } from '../../ui/page/index.ts';
import { Tabs } from '../../ui/tabs/index.ts';
import { useNow, useZoneName } from '../../ui/time/index.ts';
import { useDraft } from '../../ui/unsaved/index.ts';
import { LogTab } from './detail/log-tab.tsx';
import { RunsTab } from './detail/runs-tab.tsx';
import { SimsTab } from './detail/sims-tab.tsx';
import {
  type Draft,
  draftOf,
  emptyDraft,
  type Issues,
  issuesOf,
  issuesOfEntered,
  pastTimesOf,
  toCreateBody,
  toUpdateBody,
} from './editor/draft.ts';
import { Editor } from './editor/editor.tsx';
import { ScheduleState } from './parts.tsx';
import { findSchedulePrefill } from './schedule-prefills.ts';
import { type NewScheduleSearch, type ScheduleSearch, scheduleTabs } from './search.ts';
import { maySend, refetchSchedules, useLiveSchedules, useSchedule } from './use-schedules.ts';
import { dayIn } from './zones.ts';

const today = (): string => dayIn(new Date(now()).toISOString(), deviceTimeZone());

const ScheduledLink = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <Link href={`/${language}/message?tab=scheduled`}>
        {`${t('sms.title')} › ${t('sms.tabs.scheduled')}`}
      </Link>{' '}
      ›
    </>
  );
};

interface EditingOptions {
  saved: Draft;
  /** Values that were entered elsewhere. */
  prefill?: Partial<Draft> | undefined;
  /** The schedule's id; undefined for a new one. */
  id?: string;
  /** Sends nothing, so its times may be over. */
  isDisabled?: boolean;
  send: (draft: Draft) => Promise<Schedule>;
  onSaved?: (schedule: Schedule) => Promise<void>;
}

/**
 * The editing state of a schedule, from its stored values and those started elsewhere; errors are shown after the first attempt
 * to save, those of texts while they are typed.
 */
const useEditing = ({ saved, prefill = {}, id, isDisabled = false, send, onSaved }: EditingOptions) => {
  const [draft, setDraft] = useState({ ...saved, ...prefill });
  const [base, setBase] = useState(saved);
  const [lastSaved, setLastSaved] = useState(saved);
  const [isAttempted, setAttempted] = useState(false);
  const {
    sending: busy,
    refusal,
    submit,
  } = useSubmit<Schedule>({
    onDone: async (schedule) => {
      reset(draftOf(schedule, today()));
      await onSaved?.(schedule);
    },
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  // The tabs of a schedule keep its changes.
  useDraft(
    () => isChanged && !busy,
    (parameters) => id !== undefined && parameters.get('id') === id,
  );
  const allIssues: Issues = {
    ...(isDisabled ? {} : pastTimesOf(draft, new Date(now()).toISOString())),
    ...issuesOf(draft),
  };
  const issues: Issues = isAttempted ? allIssues : issuesOfEntered(allIssues, draft);
  const reset = (to: Draft): void => {
    setBase(to);
    setDraft(to);
    setAttempted(false);
  };
  // Changes by others in the meantime are shown, and are not overwritten by saving the changes made here.
  if (JSON.stringify(lastSaved) !== JSON.stringify(saved)) {
    setLastSaved(saved);
    setBase(saved);
    setDraft({ ...saved, ...changesOf(draft, base) });
  }
  const save = async (): Promise<void> => {
    setAttempted(true);
    if (Object.keys(allIssues).length > 0) return focusFirstInvalid();
    await submit(() => send(draft));
  };
  const change = useCallback(
    (patch: Partial<Draft>): void => setDraft((before) => ({ ...before, ...patch })),
    [],
  );
  return { draft, issues, busy, refusal, isChanged, change, save, discard: () => reset(base) };
};

const changesOf = (draft: Draft, base: Draft): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(draft).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name as keyof Draft]),
    ),
  );

/** A new schedule. */
export const NewScheduleScreen = ({ search: { from } }: SearchScreenProps<NewScheduleSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [empty] = useState(() => emptyDraft({ today: today(), zone: deviceTimeZone() }));
  const editing = useEditing({
    saved: empty,
    prefill: from === undefined ? undefined : findSchedulePrefill(from),
    send: async (draft) => {
      const body = toCreateBody(draft);
      const { data } = await call(endpoints.schedule.create, { body, announce: false });
      refetchSchedules(queries);
      toast.success(t('schedule.saved', { name: data.name }));
      return data;
    },
    onSaved: ({ id }) => navigate({ href: `/${language}/scheduleSmsDetails?id=${id}`, ignoreBlocker: true }),
  });
  return (
    <Page
      actions={
        <Button
          disabled={!maySend()}
          loading={editing.busy}
          onClick={() => void editing.save()}
          type="primary"
        >
          {t('schedule.save')}
        </Button>
      }
      facts={maySend() ? null : <span>{t('schedule.noPermission')}</span>}
      parent={<ScheduledLink />}
      title={t('schedule.new')}
    >
      <Refusal reason={editing.refusal} />
      <Editor
        disabled={editing.busy || !maySend()}
        draft={editing.draft}
        issues={editing.issues}
        onChange={editing.change}
        schedule={undefined}
      />
    </Page>
  );
};

/** One schedule: its times and text, its SIMs, and its changes. */
export const ScheduleScreen = (address: SearchScreenProps<ScheduleSearch>) => {
  const { t } = useTranslation();
  const { id = '0' } = address.search;
  const { data: response, error, refetch } = useSchedule(id);
  useLiveSchedules();
  if (error instanceof ApiFailure && error.http === 404)
    return (
      <Page parent={<ScheduledLink />} title={t('schedule.one')}>
        <Card>
          <Empty hint={t('schedule.missingHint')} title={t('schedule.missing')} />
        </Card>
      </Page>
    );
  if (!response)
    return (
      <Page parent={<ScheduledLink />} title={t('schedule.one')}>
        <Card>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />}</Card>
      </Page>
    );
  return <Detail {...address} key={id} schedule={response.data} />;
};

const Detail = ({ schedule, ...address }: SearchScreenProps<ScheduleSearch> & { schedule: Schedule }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const queries = useQueryClient();
  const tab = address.search.tab ?? 'schedule';
  const isLocked = schedule.when.mode === 'once' && schedule.in_progress;
  const editing = useEditing({
    saved: draftOf(schedule, today()),
    id: schedule.id,
    isDisabled: schedule.state === 'disabled',
    send: async (draft) => {
      // Even if it failed: shows what another person saved in the meantime together with the changes made here.
      const saved = call(endpoints.schedule.update, {
        body: toUpdateBody(draft, schedule),
        announce: false,
      }).finally(() => refetchSchedules(queries));
      const { data } = await saved;
      toast.success(t('schedule.saved', { name: data.name }));
      return data;
    },
  });
  return (
    <Page
      actions={
        maySend() ? (
          <>
            <Toggle schedule={schedule} />
            <Button disabled={!editing.isChanged || editing.busy} onClick={editing.discard}>
              {t('schedule.discard')}
            </Button>
            <More schedule={schedule} />
            <Button
              disabled={!editing.isChanged || isLocked}
              loading={editing.busy}
              onClick={() => void editing.save()}
              type="primary"
            >
              {t('schedule.save')}
            </Button>
          </>
        ) : null
      }
      facts={<Facts schedule={schedule} />}
      fill={tab !== 'schedule'}
      name={schedule.name}
      parent={<ScheduledLink />}
      title={schedule.name}
    >
      <Refusal reason={editing.refusal} />
      <Tabs
        fill={tab !== 'schedule'}
        onChange={(name) =>
          address.onSearchChange({ id: schedule.id, ...(name === 'schedule' ? {} : { tab: name }) }, 'push')
        }
        tabs={scheduleTabs.map((name) => ({
          name,
          label: t(`schedule.tabs.${name}`),
          count: name === 'sims' ? count(schedule.sims) : undefined,
        }))}
        value={tab}
      >
        {tab === 'runs' ? <RunsTab {...address} scheduleId={schedule.id} /> : null}
        {tab === 'sims' ? <SimsTab {...address} schedule={schedule} /> : null}
        {tab === 'log' ? <LogTab {...address} scheduleId={schedule.id} /> : null}
        {tab === 'schedule' ? (
          <Editor
            disabled={editing.busy || isLocked || !maySend()}
            draft={editing.draft}
            issues={editing.issues}
            onChange={editing.change}
            schedule={schedule}
          />
        ) : null}
      </Tabs>
    </Page>
  );
};

const Facts = ({ schedule }: { schedule: Schedule }) => {
  const { t } = useTranslation();
  const { dateTime, relative } = useFormat();
  const zone = useZoneName();
  const present = useNow(60_000);
  const { next_run_at: next } = schedule;
  return (
    <>
      <ScheduleState schedule={schedule} />
      <span>
        {next === null
          ? t('schedule.noNextRun')
          : t('schedule.nextRun', {
              time: dateTime(next),
              zone,
              span: relative(next, Math.min(present, Date.parse(next))),
            })}
      </span>
      {maySend() ? null : <span>{t('schedule.noPermission')}</span>}
    </>
  );
};

/** Runs an action on the schedule, and shows its outcome. */
const useScheduleAction = () => {
  const queries = useQueryClient();
  return (work: () => Promise<void>): void => void attempt(work).finally(() => refetchSchedules(queries));
};

const Toggle = ({ schedule: { id: scheduleId, name, state } }: { schedule: Schedule }) => {
  const { t } = useTranslation();
  const run = useScheduleAction();
  const enabled = state === 'disabled';
  if (state === 'ended') return null;
  const toggle = async (): Promise<void> => {
    await call(endpoints.schedule.setStatus, { body: { scheduleId, enabled } });
    toast.success(t(enabled ? 'schedule.enabled' : 'schedule.disabled', { name }));
  };
  return <Button onClick={() => run(toggle)}>{t(enabled ? 'schedule.enable' : 'schedule.disable')}</Button>;
};

/** Actions that are rarely used. */
const More = ({ schedule: { id: scheduleId, name, in_progress: isRunning } }: { schedule: Schedule }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const run = useScheduleAction();
  const remove = async (): Promise<void> => {
    const confirmation = {
      title: t('schedule.removeTitle', { name }),
      body: t('schedule.removeText'),
      action: t('schedule.remove'),
      danger: true,
    };
    if (!(await confirm(confirmation))) return;
    await call(endpoints.schedule.remove, { query: { scheduleId } });
    toast.success(t('schedule.removed', { name }));
    await navigate({ href: `/${language}/message?tab=scheduled`, ignoreBlocker: true });
  };
  return (
    <ActionMenu
      items={[
        {
          key: 'remove',
          label: t('schedule.remove'),
          danger: true,
          disabledReason: isRunning ? t('schedule.inProgress') : undefined,
          onClick: () => run(remove),
        },
      ]}
      label={t('schedule.menu', { name })}
      size="middle"
    />
  );
};
