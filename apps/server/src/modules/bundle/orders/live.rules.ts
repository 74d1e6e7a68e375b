import type { ResetCycle } from '@simcube/contract/bundle';
import { dataState } from '../../sim/index.ts';
import { type CycleCount, cycleAt, cyclesBetween } from '../bundle.cycles.ts';
import { type Allowance, allowanceAfter, evaluateUsage, type Overage } from '../bundle.overage.rules.ts';

/** The part of a SIM's counter (`sim_live`) that starts and ends of orders change. */
export interface LiveState extends Allowance {
  simId: number;
  orgId: number;
  iccid: string;
  cycleStartedAt: Date | null;
  cycleEndsAt: Date | null;
  used: number;
  threshold: number | null;
  overLimit: boolean;
  dataState: number;
  rateKbps: number | null;
}

/** The bundle whose rules apply to the counter; null when none is in use. */
export interface LiveBundle extends Overage {
  quotaBytes: number | null;
  resetCycle: ResetCycle;
  activatedAt: Date;
}

export interface ClosedCycle {
  live: LiveState;
  /** The cycle that ended. */
  closed: CycleCount | null;
}

/**
 * Ends the running cycle at an instant. Its usage after that (`usedSince`) belongs to the next cycle and stays
 * in the counter; what supplementary orders gave in the cycle is subtracted from the allowance.
 */
export const closeCycle = (
  live: LiveState,
  { at, usedSince }: { at: Date; usedSince: number },
): ClosedCycle => {
  const { cycleStartedAt, cycleEndsAt } = live;
  if (!cycleStartedAt || !cycleEndsAt) return { live, closed: null };
  const carriedOver = Math.min(usedSince, live.used);
  const used = live.used - carriedOver;
  const endsAt = at < cycleEndsAt ? at : cycleEndsAt;
  const isEmpty = endsAt <= cycleStartedAt && used === 0;
  return {
    live: {
      ...live,
      ...allowanceAfter({ limit: live.limit, extra: live.extra, used }),
      used: carriedOver,
      cycleStartedAt: null,
      cycleEndsAt: null,
    },
    closed: isEmpty
      ? null
      : {
          simId: live.simId,
          startedAt: cycleStartedAt.getTime(),
          endsAt: (endsAt > cycleStartedAt ? endsAt : cycleEndsAt).getTime(),
          used,
          limit: live.limit,
        },
  };
};

/**
 * The counter without a bundle: no limit, nothing stopped, and no cycle other than that of usage since then,
 * which the next order does not take over.
 */
export const withoutBundle = (live: LiveState, since: Date): LiveState => ({
  ...live,
  ...(live.used > 0 && freeCycle(since)),
  limit: null,
  threshold: null,
  overLimit: false,
  dataState: dataState.open,
  rateKbps: null,
});

const freeCycle = (since: Date): Pick<LiveState, 'cycleStartedAt' | 'cycleEndsAt'> => {
  const { startedAt, endsAt } = cycleAt({ resetCycle: 'month', activatedAt: since, at: since });
  return { cycleStartedAt: startedAt, cycleEndsAt: endsAt };
};

/** The cycles of a bundle between the instant and the running one, in which nothing was counted. */
export const elapsedCycles = (live: LiveState, bundle: LiveBundle | null, from: Date): CycleCount[] => {
  const { simId, limit, cycleStartedAt: until } = live;
  if (!bundle || !until) return [];
  const { resetCycle, activatedAt } = bundle;
  return cyclesBetween({ resetCycle, activatedAt, from, until }).map(({ startedAt, endsAt }) => ({
    simId,
    limit,
    used: 0,
    startedAt: startedAt.getTime(),
    endsAt: endsAt.getTime(),
  }));
};

/**
 * The counter under a bundle from here on: its quota plus what supplementary orders have left, and its current
 * cycle.
 */
export const withBundle = (live: LiveState, bundle: LiveBundle, now: Date): LiveState => {
  const { quotaBytes, resetCycle, activatedAt } = bundle;
  const cycle = cycleAt({ resetCycle, activatedAt, at: now });
  const limit = quotaBytes === null ? null : quotaBytes + live.extra;
  return withUsageState(
    { ...live, limit, cycleStartedAt: cycle.startedAt, cycleEndsAt: cycle.endsAt },
    bundle,
  );
};

/** The counter with this many more, or fewer, bytes of supplementary orders. */
export const withExtra = (live: LiveState, bundle: LiveBundle | null, bytes: number): LiveState => {
  const extra = Math.max(live.extra + bytes, 0);
  const limit = live.limit === null ? null : Math.max(live.limit + extra - live.extra, 0);
  return withUsageState({ ...live, extra, limit }, bundle);
};

/**
 * Closes a cycle that is over but was not closed because nothing was used since, and the cycles that passed
 * after it.
 */
export const closeOverdueCycles = (
  live: LiveState,
  bundle: LiveBundle | null,
  at: Date,
): { live: LiveState; closed: CycleCount[] } => {
  const { cycleEndsAt: over } = live;
  if (!bundle || !over || over > at) return { live, closed: [] };
  const { live: open, closed } = closeCycle(live, { at: over, usedSince: 0 });
  const rolledOver = withBundle(open, bundle, at);
  return {
    live: rolledOver,
    closed: [...(closed ? [closed] : []), ...elapsedCycles(rolledOver, bundle, over)],
  };
};

const withUsageState = (live: LiveState, bundle: LiveBundle | null): LiveState => ({
  ...live,
  ...evaluateUsage({
    used: live.used,
    limit: live.limit,
    policy: bundle?.policy ?? null,
    slowKbps: bundle?.slowKbps ?? null,
    stopAfterBytes: bundle?.stopAfterBytes ?? null,
    usesPoolLimit: bundle?.usesPoolLimit ?? false,
  }),
});

/** Whether a CoA or Disconnect must be sent because the data state changed. */
export const mustNotifyNetwork = (before: LiveState, after: LiveState): boolean =>
  before.dataState !== after.dataState || before.rateKbps !== after.rateKbps;
