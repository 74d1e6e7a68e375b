import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inChunks } from '../../../platform/collections/index.ts';
import { inSnapshot, inTransaction, type Sql } from '../../../platform/db/index.ts';
import {
  findUnused,
  findWatch,
  listClosedCounts,
  listUsedSince,
  listWatchedSims,
  lookUpUsage,
  type SimWatch,
  setSimWatches,
  type WatchedSim,
} from '../../usage/index.ts';
import type { ArmedRule, RuleMatch } from './armed-rule.rules.ts';
import { findListsOfSims, listArmedRules } from './armed-rules.views.ts';
import { fire } from './firing.service.ts';
import { spanOf } from './period.rules.ts';
import { simsPerJob } from './usage.job.ts';
import {
  findMatches,
  hasUsageTrigger,
  nextWatch,
  type UsageRule,
  type UsageSnapshot,
  usualDays,
} from './usage.rules.ts';

/** How long usage is provisional after its period; later crossings are not reported. */
const provisionalMs = 2 * dayMs;

export interface JudgeOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** SIMs, and the ends of records that may have triggered something. */
export type RecordEnds = readonly (readonly [simId: number, at: number])[];

/**
 * Evaluates every SIM of an organisation with records since its rules were changed, because intake may have counted them
 * before it learned of the change. What was already evaluated does not fire again.
 */
export const reevaluateUsage = async (
  options: JudgeOptions & { signal?: AbortSignal },
  { orgId, since }: { orgId: number; since: number },
): Promise<void> => {
  const seen = await listUsedSince(options.pool, { orgId, since });
  for (const part of inChunks(seen, simsPerJob)) {
    if (options.signal?.aborted) return;
    await evaluateUsage(options, { orgId, seen: part });
  }
};

interface UsageEvaluation {
  version: number | undefined;
  rules: readonly ArmedRule[];
  matches: RuleMatch[];
  watches: SimWatch[];
}

/**
 * Evaluates records of an organisation's SIMs by its rules on usage, and stores the usage at which each SIM must be
 * checked next. All decisions use one snapshot; a SIM that has changed since keeps its figure, so that its next
 * record is checked.
 */
export const evaluateUsage = async (
  { pool, clock }: JudgeOptions,
  { orgId, seen }: { orgId: number; seen: RecordEnds },
): Promise<void> => {
  const now = clock.now();
  const evaluation = await inSnapshot(pool, (sql) => evaluate(sql, { orgId, seen, now: now.getTime() }));
  const { version, rules, matches, watches } = evaluation;
  if (version === undefined) return;
  await inTransaction(pool, async (tx) => {
    await fire(tx, { orgId, rules, matches, now });
    await setSimWatches(tx, { sims: watches, version });
  });
};

const evaluate = async (
  sql: Sql,
  { orgId, seen, now }: { orgId: number; seen: RecordEnds; now: number },
): Promise<UsageEvaluation> => {
  const version = await findWatch(sql, orgId);
  const rules = await listArmedRules(sql, orgId);
  const onUsage = rules.filter(hasUsageTrigger);
  const simIds = [...new Set(seen.map(([simId]) => simId))];
  const sims = new Map((await listWatchedSims(sql, { orgId, simIds })).map((sim) => [sim.simId, sim]));
  const lists = await findListsOfSims(sql, simIds);
  const known = seen.flatMap(([simId, at]) => (sims.has(simId) ? [{ simId, at }] : []));
  const instants = [
    ...known,
    ...(await beginningsIn(sql, sims, known)),
    // A record may be slightly ahead of the clock.
    ...[...sims.values()].map(({ simId, lastSeenAt }) => ({
      simId,
      at: Math.max(now, (lastSeenAt ?? 0) + 1),
    })),
  ];
  const snapshots = await readSnapshots(sql, { orgId, sims, instants, rules: onUsage });
  const matches = snapshots
    .slice(0, instants.length - sims.size)
    .flatMap((one) => findMatches(onUsage, one, lists));
  const watches = snapshots
    .slice(instants.length - sims.size)
    .map((one) => ({ simId: one.sim.simId, watch: nextWatch(onUsage, one, lists), from: one.sim }));
  return {
    version,
    rules,
    watches,
    matches: matches.filter(({ endsAt }) => endsAt === null || endsAt + provisionalMs > now),
  };
};

/**
 * Records of a file are reported by day, at the day's start. If a cycle or the use of a SIM begins within such a day,
 * it is checked from that beginning; at the start of the day the previous cycle would be checked.
 */
const beginningsIn = async (
  sql: Sql,
  sims: ReadonlyMap<number, WatchedSim>,
  seen: readonly { simId: number; at: number }[],
): Promise<{ simId: number; at: number }[]> => {
  const days = seen.filter(({ at }) => at % dayMs === 0);
  const ends = days.map(({ simId, at }) => ({ simId, at: at + dayMs - 1 }));
  const closed = await listClosedCounts(
    sql,
    ends.filter(({ simId, at }) => !runningCycle(sims.get(simId), at)),
  );
  return days.flatMap(({ simId, at }) => {
    const sim = sims.get(simId);
    const beginnings = [
      sim?.cycleStartedAt,
      sim?.activatedAt,
      ...closed.flatMap((cycle) => (cycle.simId === simId ? [cycle.startedAt] : [])),
    ];
    return beginnings.flatMap((start) =>
      start && start > at && start < at + dayMs ? [{ simId, at: start }] : [],
    );
  });
};

/** Reads only the usage that the rules need. */
export const readSnapshots = async (
  sql: Sql,
  {
    orgId,
    sims,
    instants,
    rules,
  }: {
    orgId: number;
    sims: ReadonlyMap<number, WatchedSim>;
    instants: readonly { simId: number; at: number }[];
    rules: readonly Pick<UsageRule, 'trigger'>[];
  },
): Promise<UsageSnapshot[]> => {
  const daysAt = daysNeeded(rules);
  const usage = await lookUpUsage(sql, {
    orgId,
    lookups: instants.map(({ simId, at }) => ({ simId, at, ...daysAt(at) })),
  });
  const outside = instants.filter(({ simId, at }) => !runningCycle(sims.get(simId), at));
  const closed = await listClosedCounts(sql, outside);
  const hasFirstUse = rules.some(({ trigger }) => trigger.kind === 'first-use');
  const unused = hasFirstUse
    ? await findUnused(
        sql,
        instants.map(({ simId, at }) => ({ simId, from: sims.get(simId)?.activatedAt ?? at, to: at })),
      )
    : new Set<number>();
  return instants.flatMap(({ simId, at }, index) => {
    const sim = sims.get(simId);
    const used = usage[index];
    if (!sim || !used) return [];
    const closedCycle = closed.find(
      (cycle) => cycle.simId === simId && cycle.startedAt <= at && at < cycle.endsAt,
    );
    const cycle =
      runningCycle(sim, at) ??
      (closedCycle
        ? {
            span: { startsAt: closedCycle.startedAt, endsAt: closedCycle.endsAt },
            used: closedCycle.used,
            limit: closedCycle.limit,
          }
        : null);
    return [{ sim, at, usage: used, cycle, isUnused: unused.has(index) }];
  });
};

/** The cycle of the SIM's counter, until usage of the next cycle turns it. */
const runningCycle = (sim: WatchedSim | undefined, at: number): UsageSnapshot['cycle'] => {
  if (!sim || sim.cycleStartedAt === null || sim.cycleEndsAt === null || at < sim.cycleStartedAt) return null;
  return {
    span: { startsAt: sim.cycleStartedAt, endsAt: sim.cycleEndsAt },
    used: sim.used,
    limit: sim.limit,
  };
};

/** The days whose sums the rules need at an instant; there are few such periods, however many rules. */
const daysNeeded = (
  rules: readonly Pick<UsageRule, 'trigger'>[],
): ((at: number) => { from: number; to: number }) => {
  const hasPeriod = (period: 'day' | 'month') =>
    rules.some(({ trigger }) => trigger.kind === 'data-usage' && trigger.period === period);
  const [isDaily, isMonthly] = [hasPeriod('day'), hasPeriod('month')];
  const isUnusual = rules.some(({ trigger }) => trigger.kind === 'unusual-usage');
  return (at) => {
    if (!isDaily && !isMonthly && !isUnusual) return { from: at, to: at };
    const day = spanOf('day', at);
    const month = isMonthly ? spanOf('month', at) : day;
    const usualFrom = isUnusual ? day.startsAt - usualDays * dayMs : day.startsAt;
    return { from: Math.min(month.startsAt, usualFrom), to: month.endsAt };
  };
};
