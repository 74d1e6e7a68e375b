import type { Schedule, ScheduleForecast, ScheduleRun } from '@simcube/contract/schedule';
import { type Gateway, success } from './gateway.ts';

/** A scheduled SMS, its forecast, and its runs. */

export const schedulesPath = '/customer/sms/task';

export const schedule: Schedule = {
  id: '7',
  version: 3,
  name: 'Meter clock sync',
  content: '#CLK;SYNC',
  encoding: 'gsm7',
  parts: 1,
  when: { mode: 'weekly', times: [{ day: 1, time: '06:30' }], from: '2026-11-09', until: null },
  time_zone: 'Europe/Madrid',
  sims: 214,
  group: null,
  only_failures: false,
  state: 'enabled',
  in_progress: false,
  next_run_at: '2026-11-30T05:30:00.000Z',
  last_run_at: '2026-11-23T05:30:00.000Z',
  last_run_state: 'ended',
  created_at: '2026-11-09T10:00:00.000Z',
  updated_at: '2026-11-09T10:00:00.000Z',
  owner: 'Ada Marsh',
};
const month = { runs: 1, limit: 50_000, used: 100, others: 20, other_schedules: 1, remaining: 49_666 };
export const forecast: ScheduleForecast = {
  encoding: 'gsm7',
  parts: 1,
  runs: ['2026-11-30T05:30:00.000Z', '2027-03-29T04:30:00.000Z'],
  clock_change: { at: '2027-03-28T01:00:00.000Z', before_minutes: 60, after_minutes: 120 },
  months: [
    { ...month, month: '2026-11', this_schedule: 214 },
    { ...month, month: '2026-12', this_schedule: 856, remaining: -12 },
  ],
};
const online = Array.from({ length: 7 }, () =>
  Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 88 : 5)),
);
export const run: ScheduleRun = {
  run_at: '2026-11-23T05:30:00.000Z',
  state: 'ended',
  code: null,
  message: null,
  started_at: '2026-11-23T05:30:02.000Z',
  settled_at: '2026-11-23T05:41:00.000Z',
  task: 'T00048211',
  quantity: 214,
  left_out: 3,
  sent: 0,
  delivered: 206,
  failed: 5,
  unknown: 0,
  replies: 61,
};
export const missed: ScheduleRun = {
  ...run,
  run_at: '2026-11-16T05:30:00.000Z',
  state: 'missed',
  task: null,
  message: 'Too late',
};

export const respondWithSchedule = (gateway: Gateway, shown: Schedule = schedule): void => {
  const base = schedulesPath;
  gateway.respond(`GET ${base}/detail/7`, () => success(shown));
  gateway.respond(`GET ${base}/7/runs`, () => success([run, missed], { total_count: 2 }));
  gateway.respond(`POST ${base}/forecast`, () => success(forecast));
  gateway.respond(`POST ${base}/audience`, () =>
    success({ preview: { selected: 1, changing: 1, digest: 'd', refused: [] }, online, sampled: 1 }),
  );
  gateway.respond(`GET ${base}/groups`, () => success([]));
};
