import {
  type Cycle,
  type CycleCount,
  type CycleSpan,
  cycleAt,
  cyclesBetween,
  type ResetCycle,
} from '../bundle/index.ts';

/** Cumulative volume of a session, from the SIM's point of view. */
export interface Volume {
  up: number;
  down: number;
}

export interface CountedVolume {
  /** The session's new total. */
  total: Volume;
  /** What this report added; never negative. */
  added: Volume;
  /** Whether a reported figure can't follow the last accepted one (lower, or implausibly higher) and is ignored. */
  regressed: boolean;
}

/** A step of more than 1 PiB can't be usage; accepting one such figure would corrupt every sum that includes it. */
const maxStepBytes = 2 ** 50;

/**
 * What a report of cumulative volume adds to the last accepted one. Each direction is handled separately; a lower
 * figure without a new session is ignored, and a missing one changes nothing.
 */
export const countVolume = (
  accepted: Volume,
  reported: { up?: number | undefined; down?: number | undefined },
): CountedVolume => {
  const up = follows(accepted.up, reported.up) ? (reported.up ?? accepted.up) : accepted.up;
  const down = follows(accepted.down, reported.down) ? (reported.down ?? accepted.down) : accepted.down;
  return {
    total: { up, down },
    added: { up: up - accepted.up, down: down - accepted.down },
    regressed: !(follows(accepted.up, reported.up) && follows(accepted.down, reported.down)),
  };
};

const follows = (accepted: number, reported: number | undefined): boolean =>
  reported === undefined || (reported >= accepted && reported - accepted <= maxStepBytes);

/** The state of a SIM that decides about cycles. */
export interface CycleSubject {
  bundle: { resetCycle: ResetCycle } | null;
  /** When the bundle came into use, milliseconds; without a bundle, when the last one ended. */
  activatedAt: number | null;
}

/** The cycle of an instant by the bundle's rule; a SIM without a bundle uses calendar months, the first one partial. */
export const cycleOf = ({ bundle, activatedAt }: CycleSubject, at: Date): Cycle =>
  bundle && activatedAt !== null
    ? cycleAt({ resetCycle: bundle.resetCycle, activatedAt: new Date(activatedAt), at })
    : cycleAt({ resetCycle: 'month', activatedAt: new Date((bundle ? null : activatedAt) ?? 0), at });

export const spanOf = ({ startedAt, endsAt }: Cycle): CycleSpan => ({
  startedAt: startedAt.getTime(),
  endsAt: endsAt.getTime(),
});

/** The bundle's cycles between the end of one and the running one, as after downtime: each has begun and is charged. */
export const elapsedSpans = (
  { bundle, activatedAt }: CycleSubject,
  { from, until }: { from: number; until: number },
): CycleSpan[] =>
  bundle && activatedAt !== null && from < until
    ? cyclesBetween({
        resetCycle: bundle.resetCycle,
        activatedAt: new Date(activatedAt),
        from: new Date(from),
        until: new Date(until),
      }).map(spanOf)
    : [];

/**
 * Usage from before this time is late. A SIM that has had no bundle for a while may have no cycle yet; then the end
 * of its last order counts.
 */
export const runningSince = ({
  cycleStartedAt,
  bundle,
  activatedAt,
}: CycleSubject & { cycleStartedAt: number | null }): number =>
  cycleStartedAt ?? (bundle ? null : activatedAt) ?? Number.NEGATIVE_INFINITY;

/** Usage of a SIM within one hour (UTC), network and radio type; a record counts entirely in the hour it ended. */
export interface UsageOfHour {
  /** Hours since 1970. */
  hour: number;
  plmn: number;
  radio: number;
  up: number;
  down: number;
  records: number;
}

export interface CycleUsage extends CycleCount {
  /** When it was used, if before the cycle: the bundle's rule has no earlier cycle. */
  before?: number;
}

/**
 * The cycle for usage that is older than the running one: the closed cycle that contains it; else the one by the
 * bundle's rule. If that is the running cycle, or the first one for usage from before the activation: null.
 */
export const findLateUsageCycle = (late: {
  at: number;
  closed: readonly CycleSpan[];
  cycleByRule: () => CycleSpan;
  running: { cycleEndsAt: number | null };
}): CycleSpan | null => {
  const { at, closed, cycleByRule, running } = late;
  let found: CycleSpan | undefined;
  for (const cycle of closed) {
    const contains = cycle.startedAt <= at && at < cycle.endsAt;
    if (contains && (!found || cycle.startedAt > found.startedAt)) found = cycle;
  }
  if (found) return found;
  const cycle = cycleByRule();
  return running.cycleEndsAt === null || cycle.endsAt >= running.cycleEndsAt ? null : cycle;
};

/** The limit of a cycle in which nothing was counted: the bundle's own. */
export const basicLimit = ({ limit, extra }: { limit: number | null; extra: number }): number | null =>
  limit === null ? null : limit - extra;
