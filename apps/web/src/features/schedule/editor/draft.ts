import { type endpoints, type InputIssue, type RequestOf, toInputIssues } from '@simcube/contract';
import {
  type Schedule,
  type ScheduleMode,
  type ScheduleWhen,
  scheduleUpdateBodySchema,
  type WeekTime,
} from '@simcube/contract/schedule';
import type { SimSelection } from '@simcube/contract/sim';
import { dayIn, sortTimes, timeIn } from '../zones.ts';

/** A schedule being edited: input for both kinds of times is kept while the person compares them. */
export interface Draft {
  name: string;
  content: string;
  mode: ScheduleMode;
  at: string;
  times: WeekTime[];
  from: string;
  until: string | null;
  zone: string;
  groupId: string | null;
  onlyFailures: boolean;
  /** Undefined: the schedule's stored SIMs. */
  selection: SimSelection | undefined;
}

export const emptyDraft = ({ today, zone }: { today: string; zone: string }): Draft => ({
  name: '',
  content: '',
  mode: 'weekly',
  at: `${today}T09:00`,
  times: [],
  from: today,
  until: null,
  zone,
  groupId: null,
  onlyFailures: false,
  selection: { iccids: [] },
});

export const draftOf = (schedule: Schedule, today: string): Draft => {
  const { when } = schedule;
  return {
    ...emptyDraft({ today, zone: schedule.time_zone }),
    name: schedule.name,
    content: schedule.content,
    mode: when.mode,
    ...(when.mode === 'once'
      ? { at: when.at }
      : { times: sortTimes(when.times), from: when.from, until: when.until }),
    groupId: schedule.group?.id ?? null,
    onlyFailures: schedule.only_failures,
    selection: undefined,
  };
};

const toWhen = ({ mode, at, times, from, until }: Draft): ScheduleWhen =>
  mode === 'once' ? { mode, at } : { mode, times, from, until };

/** The body to save; `scheduleId` is the schedule's id, or a placeholder for a new one. */
const toBody = (draft: Draft, scheduleId: string) => ({
  scheduleId,
  name: draft.name,
  content: draft.content,
  when: toWhen(draft),
  time_zone: draft.zone,
  groupId: draft.groupId,
  only_failures: draft.onlyFailures,
  ...(draft.selection ? { selection: draft.selection } : {}),
});

export type Issue = Pick<InputIssue, 'key' | 'values'>;
export type Issues = Partial<Record<string, Issue>>;

/** No recipients were named yet. */
export const hasNoRecipients = (selection: SimSelection | undefined): boolean =>
  selection !== undefined && 'iccids' in selection && selection.iccids.length === 0;

/** The errors by field, as the server would report them. */
export const issuesOf = (draft: Draft): Issues => {
  const { error } = scheduleUpdateBodySchema.safeParse(toBody(draft, '0'));
  const issues: Issues = {};
  for (const issue of error?.issues ?? [])
    for (const { path, ...rest } of toInputIssues(issue)) issues[fieldOf(path)] ??= rest;
  if (hasNoRecipients(draft.selection)) issues['selection'] = { key: 'required' };
  return issues;
};

/** Times that are over. The server refuses them, unless the schedule is disabled. */
export const pastTimesOf = ({ mode, at, until, zone }: Draft, now: string): Issues => {
  const today = dayIn(now, zone);
  const isOver = mode === 'once' ? at <= `${today}T${timeIn(now, zone)}` : until !== null && until < today;
  return isOver ? { [mode === 'once' ? 'when.at' : 'when.until']: { key: 'timePassed' } } : {};
};

/** The errors to show before the first attempt to save: those of texts that were entered. */
export const issuesOfEntered = (issues: Issues, draft: Draft): Issues =>
  Object.fromEntries(
    (['name', 'content'] as const).flatMap((field) =>
      draft[field].trim() !== '' && issues[field] ? [[field, issues[field]]] : [],
    ),
  );

/** The field that shows an error: the parts of the times have their own, those of the selection do not. */
const fieldOf = (path: string): string => {
  const [name = '', part] = path.split('.');
  return part === undefined || name === 'selection' ? name : `${name}.${part}`;
};

/** The times, if they are complete enough to request a forecast. */
export const completeWhen = (draft: Draft): ScheduleWhen | undefined =>
  Object.keys(issuesOf(draft)).some((path) => path.startsWith('when') || path === 'time_zone')
    ? undefined
    : toWhen(draft);

export const toUpdateBody = (
  draft: Draft,
  { id, version }: Pick<Schedule, 'id' | 'version'>,
): RequestOf<typeof endpoints.schedule.update>['body'] => ({ ...toBody(draft, id), version });

export const toCreateBody = (draft: Draft): RequestOf<typeof endpoints.schedule.create>['body'] => {
  const { scheduleId: _, ...body } = toBody(draft, '0');
  return { ...body, selection: draft.selection ?? { iccids: [] } };
};
