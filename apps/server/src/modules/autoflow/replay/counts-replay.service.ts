import type { Sql } from '../../../platform/db/index.ts';
import { listSessionStarts } from '../../sim/index.ts';
import { listMessageTimes } from '../../sms/index.ts';
import { listPastCycles } from '../../usage/index.ts';
import { type CountedTrigger, countedMeasure, countedSpan, reachedIn } from '../engine/counted.rules.ts';
import type { Span } from '../engine/period.rules.ts';
import { type Found, inTurns, type Replayer } from './found.rules.ts';
import type { Window } from './periods.rules.ts';

const dayMs = 86_400_000;

export interface CountsReplay {
  orgId: number;
  trigger: CountedTrigger;
  window: Pick<Window, 'span' | 'closesAt'>;
}

/** When messages were accepted, or sessions began, since an instant. */
export const listTimes = (
  sql: Sql,
  { kind }: CountedTrigger,
  asked: { orgId: number; simIds: readonly number[]; since: number },
): Promise<{ simId: number; at: number }[]> =>
  kind === 'sessions'
    ? listSessionStarts(sql, asked)
    : listMessageTimes(sql, { ...asked, mobileOriginated: kind === 'sms-mo' });

/** Judges rules on messages and sessions by what is stored of them. */
export const countsReplayer = (sql: Sql, { orgId, trigger, window }: CountsReplay): Replayer =>
  inTurns(async (sims) => {
    const cycles = await cyclesOf(sql, { orgId, sims, trigger, since: window.span.startsAt });
    // The first period may have begun before the first day.
    const begins = [...cycles.values()].flat().map(({ startsAt }) => startsAt);
    const first = countedSpan(trigger, window.span.startsAt, null)?.startsAt ?? window.span.startsAt;
    const since = begins.reduce((earliest, one) => Math.min(earliest, one), first);
    const times = await listTimes(sql, trigger, { orgId, simIds: sims, since });
    const bySim = new Map<number, number[]>();
    for (const { simId, at } of times) {
      const own = bySim.get(simId);
      if (own) own.push(at);
      else bySim.set(simId, [at]);
    }
    const found = new Map<number, Found[]>();
    for (const [simId, own] of bySim) {
      const cycleAt = (at: number) =>
        cycles.get(simId)?.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? null;
      const reached = reachedIn(trigger, own, cycleAt).flatMap(({ span, at }): Found[] => {
        if (at < window.span.startsAt || at >= window.closesAt) return [];
        const place = Math.floor((at - window.span.startsAt) / dayMs);
        return [{ place, firing: { simId, at, measured: countedMeasure(trigger, span) } }];
      });
      if (reached.length > 0) found.set(simId, reached);
    }
    return { records: times.length, found };
  });

/** Cycles of SIMs that end after an instant, where the trigger counts in cycles. */
const cyclesOf = async (
  sql: Sql,
  {
    orgId,
    sims,
    trigger,
    since,
  }: { orgId: number; sims: readonly number[]; trigger: CountedTrigger; since: number },
): Promise<ReadonlyMap<number, Span[]>> => {
  const bySim = new Map<number, Span[]>();
  if (trigger.kind === 'sessions' || trigger.period !== 'cycle') return bySim;
  for (const { simId, startsAt, endsAt } of await listPastCycles(sql, {
    ...{ orgId, simIds: sims, after: since },
    least: null,
  })) {
    bySim.set(simId, [...(bySim.get(simId) ?? []), { startsAt, endsAt }]);
  }
  return bySim;
};
