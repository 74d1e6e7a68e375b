import { dayMs, hourMs } from '@simcube/contract/time';
import { allowanceAfter, type CycleSpan, evaluateUsage } from '../../bundle/index.ts';
import { dataState, simEvent } from '../../sim/index.ts';
import {
  basicLimit,
  type CdrRow,
  cycleOf,
  elapsedSpans,
  findLateUsageCycle,
  runningSince,
  spanOf,
  type UsageOfHour,
  type UsageSums,
} from '../../usage/index.ts';
import type { SimChange } from './changes.ts';
import type { SimState } from './sim-state.ts';
import { recordEvent, type Step } from './step.ts';

const dayHours = 24;
/** Beyond this, the counter could not be read back exactly. */
const maxUsedBytes = Number.MAX_SAFE_INTEGER;

/** Thrown if a decision needs the SIM's bundle, but what is known of it is from an earlier batch. */
export class StaleSim extends Error {
  override readonly name = 'StaleSim';
  constructor(readonly simId: number) {
    super('The SIM has to be read again');
  }
}

/**
 * Adds volume to the hour, network and radio type in which the record ended, and to its cycle; turns the cycle when
 * it is over, and checks the threshold.
 */
export const rate = (step: Step, change: SimChange, { up, down, plmn, radio }: CdrRow): void => {
  const { sim, update, changes, watches } = step;
  const bytes = up + down;
  const hour = Math.floor(update.at / hourMs);
  const usage = { hour, plmn, radio, up, down, records: 1 };
  addHour(changes.orgHours, sim.orgId, usage);
  change.bytes += bytes;
  const late = findLateCycle(step);
  if (late) {
    changes.lateCycles.push({ simId: sim.simId, ...late, used: bytes, limit: basicLimit(sim) });
    addHour(changes.hours, sim.simId, usage);
    if (watchOf(step) !== never) recordWatched(step);
    return;
  }
  const isNewDay = dayOf(update.at) * dayHours > (sim.openHour?.hour ?? 0);
  if (sim.cycleEndsAt === null || update.at >= sim.cycleEndsAt) startNextCycle(step, change);
  const isWithinRange = sim.used + bytes <= maxUsedBytes;
  sim.used = isWithinRange ? sim.used + bytes : maxUsedBytes;
  if (isWithinRange) addToOpenHour(step, usage);
  else addHour(changes.hours, sim.simId, usage);
  const watch = isNewDay && watches.get(sim.orgId)?.isDaily ? 0 : watchOf(step);
  if (sim.used < Math.min(sim.threshold ?? never, watch)) return;
  if (sim.threshold !== null && sim.used >= sim.threshold) crossThreshold(step, change);
  if (sim.used >= watch) recordWatched(step);
};

/** A value that usage never reaches. */
const never = Number.POSITIVE_INFINITY;

/**
 * The usage from which records of the SIM are checked. The stored value was computed for one version of the
 * organisation's watches and assumes that nothing is added to past days and months.
 */
const watchOf = ({ sim, update, watches }: Step): number => {
  const watch = watches.get(sim.orgId);
  if (watch === undefined) return never;
  if (watch.version !== sim.watchVersion) return 0;
  if (sim.watch === null) return never;
  return dayOf(update.at) < dayOf(sim.lastSeenAt ?? 0) ? 0 : sim.watch;
};

const dayOf = (at: number): number => Math.floor(at / dayMs);

const recordWatched = ({ sim, update, changes }: Step): void => {
  changes.watched.push({ sim, simId: sim.simId, orgId: sim.orgId, at: update.at });
};

/** The previous hour is added to the rollups when a new one begins; late records for it are added there individually. */
const addToOpenHour = ({ sim, changes }: Step, usage: UsageOfHour): void => {
  const open = sim.openHour;
  if (open && open.hour === usage.hour && open.plmn === usage.plmn && open.radio === usage.radio) {
    open.up += usage.up;
    open.down += usage.down;
    open.records += 1;
  } else if (open && open.hour > usage.hour) {
    addHour(changes.hours, sim.simId, usage);
  } else {
    if (open) addHour(changes.hours, sim.simId, open);
    sim.openHour = usage;
  }
};

const addHour = (
  sums: UsageSums,
  owner: number,
  { hour, plmn, radio, up, down, records }: UsageOfHour,
): void => sums.add(sums.positionOf(owner, hour, plmn, radio), up, down, records);

/** The closed cycle to which a late record is added; null if it belongs to the running one. */
const findLateCycle = ({ sim, update: { at }, closed, batch }: Step): CycleSpan | null => {
  if (at >= runningSince(sim)) return null;
  requireFresh(sim, batch);
  const closedCycles = closed.get(sim.simId) ?? [];
  const cycleByRule = (): CycleSpan => spanOf(cycleOf(sim, new Date(at)));
  return findLateUsageCycle({
    at,
    closed: sim.lastCycle ? [...closedCycles, sim.lastCycle] : closedCycles,
    cycleByRule,
    running: sim,
  });
};

const startNextCycle = ({ sim, update, changes, batch }: Step, change: SimChange): void => {
  const cycle = spanOf(cycleOf(sim, new Date(update.at)));
  if (sim.cycleStartedAt !== null && sim.cycleEndsAt !== null) {
    requireFresh(sim, batch);
    changes.cycles.push({
      simId: sim.simId,
      startedAt: sim.cycleStartedAt,
      endsAt: sim.cycleEndsAt,
      used: sim.used,
      limit: sim.limit,
    });
    sim.lastCycle = { startedAt: sim.cycleStartedAt, endsAt: sim.cycleEndsAt };
    const { limit } = sim;
    Object.assign(sim, allowanceAfter(sim));
    if (sim.watch !== null) sim.watch = sim.limit === limit ? Math.max(sim.watch - sim.used, 0) : 0;
    sim.used = 0;
    for (const span of elapsedSpans(sim, { from: sim.cycleEndsAt, until: cycle.startedAt })) {
      changes.cycles.push({ simId: sim.simId, ...span, used: 0, limit: sim.limit });
    }
  }
  sim.cycleStartedAt = cycle.startedAt;
  sim.cycleEndsAt = cycle.endsAt;
  sim.threshold = sim.usesPoolLimit ? null : sim.limit;
  if (sim.dataState !== dataState.open) {
    const { simId, orgId, iccid } = sim;
    changes.reopened.push({ simId, orgId, iccid, dataStateBefore: sim.dataState });
  }
  sim.dataState = dataState.open;
  sim.overLimit = false;
  sim.rateKbps = null;
  change.ratingChanged = true;
};

const crossThreshold = ({ sim, update, changes, batch }: Step, change: SimChange): void => {
  requireFresh(sim, batch);
  const thresholdBytes = sim.threshold ?? 0;
  const evaluated = evaluateUsage({
    used: sim.used,
    limit: sim.limit,
    policy: sim.bundle?.policy ?? null,
    slowKbps: sim.bundle?.slowKbps ?? null,
    stopAfterBytes: sim.bundle?.stopAfterBytes ?? null,
    usesPoolLimit: sim.usesPoolLimit,
  });
  const wasOver = sim.overLimit;
  const { simId, orgId, iccid, used: usedBytes, limit: limitBytes } = sim;
  Object.assign(sim, evaluated);
  change.ratingChanged = true;
  const { overLimit, dataState: state, rateKbps } = evaluated;
  // It has used its contribution to the pool: nothing happens to it.
  if (sim.usesPoolLimit) return;
  changes.crossings.push({
    simId,
    orgId,
    iccid,
    usedBytes,
    thresholdBytes,
    limitBytes,
    overLimit,
    dataState: state,
    rateKbps,
    at: update.at,
  });
  if (overLimit) {
    const event = simEvent(wasOver ? 'data-stopped' : 'quota-reached', {
      used_bytes: usedBytes,
      limit_bytes: limitBytes,
      policy: sim.bundle?.policy ?? null,
    });
    recordEvent({ sim, changes }, change, update.at, event);
  }
};

const requireFresh = (sim: SimState, batch: number): void => {
  if (sim.readInBatch !== batch) throw new StaleSim(sim.simId);
};
