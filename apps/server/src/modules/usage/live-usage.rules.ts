import { allowanceAfter, type CycleSpan, evaluateUsage, type Overage } from '../bundle/index.ts';
import { dataState } from '../sim/index.ts';
import { basicLimit, type CycleUsage, findLateUsageCycle } from './usage.rules.ts';

/** A SIM's counter (`sim_live`) with its bundle's overage settings. Times are milliseconds. */
export interface LiveUsage extends Overage {
  simId: number;
  orgId: number;
  iccid: string;
  cycleStartedAt: number | null;
  cycleEndsAt: number | null;
  used: number;
  limit: number | null;
  /** The part of the limit that supplementary orders add. */
  extra: number;
  threshold: number | null;
  overLimit: boolean;
  dataState: number;
  rateKbps: number | null;
  /** Whether it is or was in a shared pool. */
  isPooled: boolean;
}

export interface UsageAllocation {
  live: LiveUsage;
  /** Cycles that were running and have ended. */
  closed: CycleUsage[];
  /** Usage for cycles that had ended before. */
  late: CycleUsage[];
  /** The threshold that was crossed, with the usage that crossed it; null if none was. */
  crossed: { thresholdBytes: number; usedBytes: number } | null;
  /** Whether it was already over its limit; the threshold is then an amount that is billed beyond it. */
  wasOver: boolean;
  /** The data state before the cycle turned, if the turn opened it; null otherwise. */
  reopened: number | null;
}

/**
 * Adds usage by cycle to a SIM's counter: usage older than the running cycle goes to closed cycles, newer usage turns
 * the cycle. Pure. `usage` is of this SIM, in order of time; zero usage turns a cycle that is over. `closedCycles` are the
 * closed cycles that contain usage from before the running cycle.
 */
export const allocateUsage = (
  before: LiveUsage,
  usage: readonly CycleUsage[],
  closedCycles: readonly CycleSpan[] = [],
): UsageAllocation => {
  const live = { ...before };
  const closed: CycleUsage[] = [];
  const late: CycleUsage[] = [];
  let crossed: UsageAllocation['crossed'] = null;
  let reopened: number | null = null;
  let wasOver = false;
  for (const part of usage) {
    const older = olderCycle(live, part, closedCycles);
    if (older) {
      if (part.used > 0) late.push({ ...part, ...older, limit: basicLimit(live) });
      continue;
    }
    if (live.cycleEndsAt === null || part.endsAt > live.cycleEndsAt) {
      if (live.cycleStartedAt !== null && live.cycleEndsAt !== null) closed.push(runningCycle(live));
      if (live.dataState !== dataState.open) reopened = live.dataState;
      startCycle(live, part);
    }
    // A larger figure could not be read back exactly, and intake could no longer process the SIM.
    live.used = Math.min(live.used + part.used, Number.MAX_SAFE_INTEGER);
    if (live.threshold !== null && live.used >= live.threshold) {
      const { threshold: thresholdBytes, overLimit } = live;
      Object.assign(live, evaluateUsage(live));
      // It has used its contribution to the pool: nothing happens to it.
      if (live.usesPoolLimit) continue;
      crossed = { thresholdBytes, usedBytes: live.used };
      wasOver = overLimit;
    }
  }
  return {
    live,
    closed,
    late,
    crossed,
    wasOver,
    reopened: live.dataState === dataState.open ? reopened : null,
  };
};

/** From the end of each cycle to the start of the next one, if later, with the next one's limit. */
export const gapsOf = ({
  live,
  closed,
}: UsageAllocation): { from: number; until: number; limit: number | null }[] =>
  closed.flatMap(({ endsAt: from }, index) => {
    const next = closed[index + 1];
    const until = next ? next.startedAt : live.cycleStartedAt;
    return until === null || until <= from ? [] : [{ from, until, limit: (next ?? live).limit }];
  });

/** Sets the running cycle's counter to the sum of its records and applies the bundle's rules to it. Pure. */
export const restateUsage = (before: LiveUsage, used: number): UsageAllocation => {
  const live = { ...before, used };
  Object.assign(live, evaluateUsage(live));
  const { threshold } = before;
  const isCrossed = !live.usesPoolLimit && threshold !== null && used >= threshold;
  return {
    live,
    closed: [],
    late: [],
    crossed: isCrossed ? { thresholdBytes: threshold, usedBytes: used } : null,
    wasOver: before.overLimit,
    reopened:
      live.dataState === dataState.open && before.dataState !== dataState.open ? before.dataState : null,
  };
};

/** The cycle that usage belongs to; null for the running one or one after it. */
const olderCycle = (
  live: LiveUsage,
  part: CycleUsage,
  closedCycles: readonly CycleSpan[],
): CycleSpan | null => {
  const { before } = part;
  if (before !== undefined)
    return findLateUsageCycle({ at: before, closed: closedCycles, cycleByRule: () => part, running: live });
  return live.cycleEndsAt !== null && part.endsAt < live.cycleEndsAt ? part : null;
};

const runningCycle = (live: LiveUsage): CycleUsage => ({
  simId: live.simId,
  startedAt: live.cycleStartedAt ?? 0,
  endsAt: live.cycleEndsAt ?? 0,
  used: live.used,
  limit: live.limit,
});

const startCycle = (live: LiveUsage, { startedAt, endsAt }: CycleUsage): void => {
  // Usage from before the first cycle belongs to no cycle; it is counted in the one that starts now.
  if (live.cycleEndsAt !== null) {
    Object.assign(live, allowanceAfter(live));
    live.used = 0;
  }
  live.cycleStartedAt = startedAt;
  live.cycleEndsAt = endsAt;
  Object.assign(live, evaluateUsage({ ...live, used: 0 }));
};
