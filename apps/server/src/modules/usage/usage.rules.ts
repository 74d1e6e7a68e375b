import {
  type Cycle,
  type CycleCount,
  type CycleSpan,
  cycleAt,
  cyclesBetween,
  type ResetCycle,
} from '../bundle/index.ts';

/** Cumulative volume of a session, from the SIM's side. */
export interface Volume {
  up: number;
  down: number;
}

export interface CountedVolume {
  /** What the session stands at now. */
  total: Volume;
  /** What this report added to it; never negative. */
  added: Volume;
  /** True when a reported figure can't follow the one accepted before, being lower or absurdly higher: it is ignored. */
  regressed: boolean;
}

/** A step of more than 1 PiB is no usage: one such figure, believed, would spoil every sum that it is part of. */
const stepBytesMost = 2 ** 50;

/**
 * What a report of cumulative volume adds to the one accepted last. Each direction is taken for itself; a lower
 * figure without a new session is ignored, an absent one says nothing (semantics, "Network identity").
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
  reported === undefined || (reported >= accepted && reported - accepted <= stepBytesMost);

/** A SIM as far as it decides about cycles. */
export interface CycleSubject {
  bundle: { resetCycle: ResetCycle } | null;
  /** When the bundle came into use, milliseconds; without one, when the last that it had was over. */
  activatedAt: number | null;
}

/** The cycle of an instant by the bundle's rule; a SIM without a bundle counts by calendar months, the first one partial. */
export const cycleOf = ({ bundle, activatedAt }: CycleSubject, at: Date): Cycle =>
  bundle && activatedAt !== null
    ? cycleAt({ resetCycle: bundle.resetCycle, activatedAt: new Date(activatedAt), at })
    : cycleAt({ resetCycle: 'month', activatedAt: new Date((bundle ? null : activatedAt) ?? 0), at });

export const spanOf = ({ startedAt, endsAt }: Cycle): CycleSpan => ({
  startedAt: startedAt.getTime(),
  endsAt: endsAt.getTime(),
});

/** The bundle's cycles that passed from the end of one up to the running one, as while the server was down: each has begun and is charged. */
export const passedSpans = (
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

/** Usage from before is late. A SIM that has had no bundle for a while may have no cycle yet: then its last order's end says so. */
export const runningSince = ({
  cycleStartedAt,
  bundle,
  activatedAt,
}: CycleSubject & { cycleStartedAt: number | null }): number =>
  cycleStartedAt ?? (bundle ? null : activatedAt) ?? Number.NEGATIVE_INFINITY;

/** Usage of a SIM within one hour (UTC), network and radio type; a record counts whole in the hour it ended. */
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
  /** When it was used, if that is before the cycle: the bundle's rule has no earlier one. */
  before?: number;
}

/**
 * Where usage that is older than the running cycle belongs: to the closed cycle that holds it; else to the one that the
 * bundle's rule gives. That may be the running one, or the first one, of usage from before the activation: then null.
 */
export const cycleOfLate = (late: {
  at: number;
  closed: readonly CycleSpan[];
  byRule: () => CycleSpan;
  running: { cycleEndsAt: number | null };
}): CycleSpan | null => {
  const { at, closed, byRule, running } = late;
  let found: CycleSpan | undefined;
  for (const cycle of closed) {
    const isIn = cycle.startedAt <= at && at < cycle.endsAt;
    if (isIn && (!found || cycle.startedAt > found.startedAt)) found = cycle;
  }
  if (found) return found;
  const cycle = byRule();
  return running.cycleEndsAt === null || cycle.endsAt >= running.cycleEndsAt ? null : cycle;
};

/** The limit of a cycle that nothing had been counted in: what the bundle itself gives. */
export const basicLimit = ({ limit, extra }: { limit: number | null; extra: number }): number | null =>
  limit === null ? null : limit - extra;
