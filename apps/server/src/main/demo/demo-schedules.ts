import type { ScheduleWhen } from '@simcube/contract/schedule';
import { dayMs } from '@simcube/contract/time';
import { type DeviceKindName, handlingOf } from '@simcube/network-sim';
import type pg from 'pg';
import { createSchedules, type PastSending, storePastRuns } from '../../modules/schedule/index.ts';
import type { Ordering } from '../../modules/sim/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { findSchedule } from './demo.queries.ts';
import { type Maker, maker } from './demo-maker.ts';
import type { DemoSim } from './demo-plan.ts';
import { outcomeOf, smsSender } from './demo-sms.ts';

interface ScheduleContext extends Maker {
  pool: pg.Pool;
  ordering: Ordering;
  plan: readonly DemoSim[];
  seed: number;
  at: Date;
  /** Length of the history. */
  days: number;
}

interface DemoSchedule {
  name: string;
  content: string;
  kind: DeviceKindName;
  maxSims: number;
  timeZone: string;
  /** How many days ago it was made. */
  createdDaysAgo: number;
  when: (dayAgo: (days: number) => string) => ScheduleWhen;
}

const weekly = (time: string, ...days: readonly number[]) => days.map((day) => ({ day, time }));

/** A running one, one that has ended, and one that ran once. */
const demoSchedules: readonly DemoSchedule[] = [
  {
    name: 'Meter readings',
    content: 'READ',
    kind: 'meter',
    maxSims: 100,
    timeZone: 'Europe/Madrid',
    createdDaysAgo: 17,
    when: (dayAgo) => ({
      mode: 'weekly',
      times: [...weekly('06:30', 1, 3, 5), ...weekly('15:20', 7)],
      from: dayAgo(16),
      until: null,
    }),
  },
  {
    name: 'Positions of trackers',
    content: 'WHERE',
    kind: 'tracker',
    maxSims: 40,
    timeZone: 'Europe/Lisbon',
    createdDaysAgo: 51,
    when: (dayAgo) => ({
      mode: 'weekly',
      times: weekly('08:00', 2, 4),
      from: dayAgo(49),
      until: dayAgo(29),
    }),
  },
  {
    name: 'Restart of cameras',
    content: 'REBOOT',
    kind: 'camera',
    maxSims: 60,
    timeZone: 'Europe/Madrid',
    createdDaysAgo: 12,
    when: (dayAgo) => ({ mode: 'once', at: `${dayAgo(10)}T03:00` }),
  },
];

/** It was saved first, and enabled after a review. */
const reviewMs = 26 * 60_000;
/** A run due within this time is left to the worker, as a run that is a little late. */
const openMs = 30 * 60_000;

/** Scheduled SMS of a customer with their past runs; existing ones are left unchanged. */
export const makeSchedules = async (context: ScheduleContext): Promise<void> => {
  for (const schedule of demoSchedules) {
    if (schedule.createdDaysAgo < context.days) await makeSchedule(context, schedule);
  }
};

const makeSchedule = async (
  { pool, ordering, plan, seed, at, orgId, by, groupId }: ScheduleContext,
  { name, content, kind, maxSims, timeZone, createdDaysAgo, when }: DemoSchedule,
): Promise<void> => {
  const daysBefore = (days: number) => new Date(at.getTime() - days * dayMs);
  const devices = devicesOf(plan, { kind, since: daysBefore(createdDaysAgo), until: at }).slice(0, maxSims);
  if (devices.length === 0) return;
  const serviceAt = (now: Date) => createSchedules({ pool, ordering, clock: { now: () => now } });
  const existing = await findSchedule(pool, { orgId, name });
  if (existing?.hasRun) return;
  const id =
    existing?.id ??
    (await serviceAt(daysBefore(createdDaysAgo)).create(by('schedule.created'), {
      name,
      content,
      when: when((days) => daysBefore(days).toISOString().slice(0, 10)),
      time_zone: timeZone,
      groupId: String(groupId),
      only_failures: true,
      enabled: false,
      selection: { iccids: devices.map(({ iccid }) => iccid) },
    }));
  const enabledAt = new Date(daysBefore(createdDaysAgo).getTime() + reviewMs);
  await serviceAt(enabledAt).setStatus(by('schedule.switched'), { id, enabled: true });
  const until = new Date(at.getTime() - openMs);
  const sendingOf = sendings(devices, { content, seed });
  await inTransaction(pool, (tx) => storePastRuns(tx, { orgId, id, until, sender: smsSender, sendingOf }));
};

/** Devices that were reachable all the time. */
const devicesOf = (
  plan: readonly DemoSim[],
  { kind, since, until }: { kind: DeviceKindName; since: Date; until: Date },
) =>
  plan.flatMap(({ device, orgCode, inUse }) =>
    device.kind === kind &&
    orgCode === maker.code &&
    device.msisdn !== '' &&
    inUse &&
    inUse.fromMs <= since.getTime() &&
    inUse.untilMs >= until.getTime()
      ? [device]
      : [],
  );

/** Devices treat scheduled messages as they do live ones. */
const sendings = (
  devices: readonly DemoSim['device'][],
  { content, seed }: { content: string; seed: number },
): ((iccid: string, at: Date) => PastSending) => {
  const byIccid = new Map(devices.map((device) => [device.iccid, device]));
  return (iccid, at) => {
    const device = byIccid.get(iccid);
    if (!device) throw new RangeError(`No device has the SIM ${iccid}`);
    const day = at.getTime() / dayMs;
    const { afterMs, reply, ...receipt } = handlingOf(device, { text: content, nth: day, seed });
    const settledMs = at.getTime() + afterMs;
    return {
      sent: outcomeOf({ ...receipt, settledMs }),
      reply: reply && { at: new Date(settledMs + reply.afterMs), content: reply.text },
    };
  };
};
