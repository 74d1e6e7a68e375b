import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { listSessionStarts } from '../../sim/index.ts';
import { listMessageTimes } from '../../sms/index.ts';
import { readCyclesAt } from '../../usage/index.ts';
import {
  type CountedTrigger,
  countedMeasure,
  countedSpan,
  findReachedCounts,
} from '../engine/counted.rules.ts';
import { countedCycle, isByCycle } from '../engine/counted.service.ts';
import type { Window } from './periods.rules.ts';
import { createChunkedReplayer, type Replayer, type ReplayResult } from './replay-results.rules.ts';

export interface CountsReplay {
  orgId: number;
  trigger: CountedTrigger;
  window: Pick<Window, 'span' | 'closesAt'>;
}

/** When messages were accepted, or sessions began, since an instant. */
export const listTimes = (
  sql: Sql,
  { kind }: CountedTrigger,
  query: { orgId: number; simIds: readonly number[]; since: number },
): Promise<{ simId: number; at: number }[]> =>
  kind === 'sessions'
    ? listSessionStarts(sql, query)
    : listMessageTimes(sql, { ...query, mobileOriginated: kind === 'sms-mo' });

/** Evaluates rules on messages and sessions by the stored ones. */
export const countsReplayer = (sql: Sql, { orgId, trigger, window }: CountsReplay): Replayer =>
  createChunkedReplayer(async (sims) => {
    const { startsAt: windowAt } = window.span;
    const cycleAt = isByCycle(trigger)
      ? await readCyclesAt(sql, { simIds: sims, after: windowAt })
      : undefined;
    const cycleOf = (simId: number) => (at: number) => (cycleAt ? countedCycle(cycleAt, simId, at) : null);
    // The first period may have begun before the first day.
    const firsts = cycleAt ? sims.map(cycleOf) : [() => null];
    const since = firsts.reduce(
      (earliest, ofSim) =>
        Math.min(earliest, countedSpan(trigger, windowAt, ofSim(windowAt))?.startsAt ?? windowAt),
      windowAt,
    );
    const times = await listTimes(sql, trigger, { orgId, simIds: sims, since });
    const bySim = new Map<number, number[]>();
    for (const { simId, at } of times) {
      const own = bySim.get(simId);
      if (own) own.push(at);
      else bySim.set(simId, [at]);
    }
    const results = new Map<number, ReplayResult[]>();
    for (const [simId, own] of bySim) {
      const reached = findReachedCounts(trigger, own, cycleOf(simId)).flatMap(
        ({ span, at }): ReplayResult[] => {
          if (at < windowAt || at >= window.closesAt) return [];
          const dayIndex = Math.floor((at - windowAt) / dayMs);
          return [{ dayIndex, firing: { simId, at, measured: countedMeasure(trigger, span) } }];
        },
      );
      if (reached.length > 0) results.set(simId, reached);
    }
    return { records: times.length, results };
  });
