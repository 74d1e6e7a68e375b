import type { ScheduleForecast, scheduleForecastBodySchema } from '@simcube/contract/schedule';
import type pg from 'pg';
import type { z } from 'zod';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { measureText, readQuota } from '../../sms/index.ts';
import { countRuns, nextRun, runsAfter, type Timing } from '../timing/runs.rules.ts';
import { type ClockChange, nextClockChange } from '../timing/zone.rules.ts';
import { listOtherEnabled } from './schedules.views.ts';

export interface ForecastOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

type Body = z.output<typeof scheduleForecastBodySchema>;

/** Minimum number of runs shown, if there are that many. */
const minRuns = 6;

/** When a schedule would run, and how much of the quota of this month and the next it would leave. */
export const readForecast = async (
  { pool, db, clock }: ForecastOptions,
  { orgId, body }: { orgId: number; body: Body },
): Promise<ScheduleForecast> => {
  const now = clock.now();
  const timing: Timing = { when: body.when, timeZone: body.time_zone };
  const exceptId = body.scheduleId === undefined ? null : Number(body.scheduleId);
  const others = await listOtherEnabled(db, { orgId, exceptId });
  const first = dashboardDays.monthOf(now);
  const spans = [first, addMonths(first, 1)].map((month) => {
    const start = dashboardDays.startOfMonth(month);
    return { month, from: start > now ? start : now, to: dashboardDays.startOfMonth(addMonths(month, 1)) };
  });
  const runs = listRuns(timing, { now, until: spans.at(-1)?.to ?? now });
  const quotas = await inTransaction(pool, async (tx) => [
    await readQuota(tx, orgId, now),
    await readQuota(tx, orgId, spans[1]?.from ?? now),
  ]);
  const change = nextAffectingChange(timing, now);
  const measured = measureText(body.content ?? '');
  const parts = Math.max(1, measured.parts);
  return {
    encoding: measured.encoding,
    parts,
    runs: runs.map((run) => run.toISOString()),
    clock_change: change
      ? { at: change.at.toISOString(), before_minutes: change.before, after_minutes: change.after }
      : null,
    months: spans.map(({ month, from, to }, index) => {
      const ofMonth = runs.filter((run) => run >= from && run < to).length;
      const own = ofMonth * body.sims * parts;
      const sums = others.map(
        ({ timing: when, time_zone: timeZone, sims, content }) =>
          countRuns({ when, timeZone }, { from, to }) * sims * measureText(content).parts,
      );
      const ofOthers = sums.reduce((sum, parts) => sum + parts, 0);
      const quota = quotas[index];
      const left = quota?.remaining ?? null;
      return {
        month,
        runs: ofMonth,
        limit: quota?.limit ?? null,
        used: quota?.used ?? 0,
        this_schedule: own,
        others: ofOthers,
        other_schedules: sums.filter((parts) => parts > 0).length,
        remaining: left === null ? null : left - own - ofOthers,
      };
    }),
  };
};

/** The next change of the clocks, if the schedule still runs after it. */
const nextAffectingChange = (timing: Timing, now: Date): ClockChange | undefined => {
  const change = nextClockChange(timing.timeZone, now);
  return change && nextRun(timing, new Date(change.at.getTime() - 1)) ? change : undefined;
};

const listRuns = (timing: Timing, { now, until }: { now: Date; until: Date }): Date[] => {
  const runs: Date[] = [];
  for (const run of runsAfter(timing, now)) {
    if (run >= until && runs.length >= minRuns) break;
    runs.push(run);
  }
  return runs;
};
