import { allowanceAfter, dataState, judgeUsage } from '../../bundle/index.ts';
import { cycleOf } from '../../usage/index.ts';
import type { SimChange } from './changes.ts';
import type { SessionState, SimState } from './sim-state.ts';
import { record, type Step } from './step.ts';

const hourMs = 3_600_000;

/** Thrown when a decision needs the SIM's bundle and what is known of it is from an earlier batch. */
export class StaleSim extends Error {
  override readonly name = 'StaleSim';
  constructor(readonly simId: number) {
    super('The SIM has to be read anew');
  }
}

/** Adds to the hour, network and radio type that the record ended in. */
export const addSlice = (
  change: SimChange,
  session: SessionState,
  at: number,
  added: { up: number; down: number },
): void => {
  const hourAt = at - (at % hourMs);
  const [plmn, radio] = [session.plmn ?? 0, session.radio ?? 0];
  for (const slice of change.slices) {
    if (slice.hourAt === hourAt && slice.plmn === plmn && slice.radio === radio) {
      slice.up += added.up;
      slice.down += added.down;
      slice.records += 1;
      return;
    }
  }
  const { simId, orgId } = change.sim;
  change.slices.push({ simId, orgId, hourAt, plmn, radio, up: added.up, down: added.down, records: 1 });
};

/** Adds the bytes to the cycle that they belong to, turns the cycle when they are past its end, minds the threshold. */
export const rate = (step: Step, change: SimChange, bytes: number): void => {
  const { sim, update } = step;
  change.bytes += bytes;
  if (sim.cycleStartedAt !== null && update.at < sim.cycleStartedAt) {
    addLate(step, bytes);
    return;
  }
  if (sim.cycleEndsAt === null || update.at >= sim.cycleEndsAt) turnCycle(step, change);
  // Beyond 2^53 the counter could not be read again.
  sim.used = Math.min(sim.used + bytes, Number.MAX_SAFE_INTEGER);
  if (sim.threshold !== null && sim.used >= sim.threshold) cross(step, change);
};

/** A late record is counted in the cycle it belongs to (semantics, "Bundles, rating, cycles"). */
const addLate = ({ sim, update, changes, batch }: Step, bytes: number): void => {
  requireFresh(sim, batch);
  const cycle = cycleOf(sim, new Date(update.at));
  changes.lateCycles.push({
    simId: sim.simId,
    startedAt: cycle.startedAt.getTime(),
    endsAt: cycle.endsAt.getTime(),
    used: bytes,
    limit: null,
  });
};

const turnCycle = ({ sim, update, changes, batch }: Step, change: SimChange): void => {
  if (sim.cycleStartedAt !== null && sim.cycleEndsAt !== null) {
    requireFresh(sim, batch);
    changes.cycles.push({
      simId: sim.simId,
      startedAt: sim.cycleStartedAt,
      endsAt: sim.cycleEndsAt,
      used: sim.used,
      limit: sim.limit,
    });
    Object.assign(sim, allowanceAfter(sim));
    sim.used = 0;
  }
  const cycle = cycleOf(sim, new Date(update.at));
  sim.cycleStartedAt = cycle.startedAt.getTime();
  sim.cycleEndsAt = cycle.endsAt.getTime();
  sim.threshold = sim.limit;
  if (sim.dataState !== dataState.open) {
    const { simId, orgId, iccid } = sim;
    changes.reopened.push({ simId, orgId, iccid, dataStateBefore: sim.dataState });
  }
  sim.dataState = dataState.open;
  sim.overLimit = false;
  sim.rateKbps = null;
  change.rated = true;
};

const cross = ({ sim, update, changes, batch }: Step, change: SimChange): void => {
  requireFresh(sim, batch);
  const thresholdBytes = sim.threshold ?? 0;
  const judged = judgeUsage({
    used: sim.used,
    limit: sim.limit,
    policy: sim.bundle?.policy ?? null,
    slowKbps: sim.bundle?.slowKbps ?? null,
    stopAfterBytes: sim.bundle?.stopAfterBytes ?? null,
  });
  const wasOver = sim.overLimit;
  const { simId, orgId, iccid, used: usedBytes, limit: limitBytes } = sim;
  Object.assign(sim, judged);
  change.rated = true;
  const { overLimit, dataState: state, rateKbps } = judged;
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
    record({ sim, changes }, change, wasOver ? 'data-stopped' : 'quota-reached', update.at, {
      used_bytes: usedBytes,
      limit_bytes: limitBytes,
      policy: sim.bundle?.policy ?? null,
    });
  }
};

const requireFresh = (sim: SimState, batch: number): void => {
  if (sim.readIn !== batch) throw new StaleSim(sim.simId);
};
