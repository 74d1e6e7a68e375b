import type { ScheduleAudience, scheduleAudienceBodySchema } from '@simcube/contract/schedule';
import { dayMs, hourMs } from '@simcube/contract/time';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Orderer, Ordering } from '../../sim/index.ts';
import { findSmsFacts, sendRule } from '../../sms/index.ts';
import { countOnlineHours } from '../../usage/index.ts';
import { requireWithinLimit } from '../saving/schedules.service.ts';
import type { ForecastOptions } from './forecast.service.ts';
import { weeklyOnlineShare } from './online.rules.ts';
import { isOwnSchedule } from './schedules.views.ts';
import { listIccids } from './sims.views.ts';

export interface AudienceOptions extends ForecastOptions {
  clock: Clock;
  ordering: Ordering;
}

type Body = z.output<typeof scheduleAudienceBodySchema>;

/** Maximum number of SIMs whose hours are read, spread over the selection. */
const sampleSize = 300;
const weeks = 4;
const weekMs = 7 * dayMs;

/**
 * The SIMs to which a run would send now, and when they are usually online.
 * @throws Failure CB-04-0006 for another organisation's schedule, CB-01-0010 without SIMs, CB-01-0012 when all
 * belong to others
 */
export const readAudience = async (
  { pool, db, clock, ordering }: AudienceOptions,
  orderer: Orderer,
  { selection, scheduleId, time_zone: timeZone }: Body,
): Promise<ScheduleAudience> => {
  const orgId = orderer.org.id;
  if (scheduleId !== undefined && !(await isOwnSchedule(db, { orgId, id: Number(scheduleId) })))
    fail('CB-04-0006');
  if (selection) requireWithinLimit(selection);
  const selected =
    selection ??
    (scheduleId === undefined ? fail('CB-01-0010') : { iccids: await listIccids(pool, Number(scheduleId)) });
  const order = {
    rule: sendRule,
    parameters: {},
    remark: null,
    selected,
    runsLater: true,
    extraFacts: findSmsFacts,
  };
  const { preview, allowed } = await ordering.inspect(orderer, order);
  const [reason, ...others] = preview.refused;
  if (preview.changing === 0 && others.length === 0 && reason?.code === 'CB-01-0012') fail('CB-01-0012');
  const simIds = sampleIds(allowed.map(({ sim }) => sim.id));
  const now = clock.now();
  const to = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const hours = await countOnlineHours(pool, {
    orgId,
    simIds,
    from: new Date(to.getTime() - weeks * weekMs),
    to,
  });
  return {
    preview,
    online: weeklyOnlineShare(hours, { sims: simIds.length, to, timeZone }),
    sampled: simIds.length,
  };
};

const sampleIds = (ids: readonly number[]): number[] => {
  const step = Math.max(1, ids.length / sampleSize);
  return Array.from(
    { length: Math.min(ids.length, sampleSize) },
    (_, index) => ids[Math.floor(index * step)] ?? 0,
  );
};
