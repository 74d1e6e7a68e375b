import { type DataRestriction, type DataState, dataStates, type SimData } from '@simcube/contract/sim';

/** As stored in `sim_live.data_state`: the effect of the cycle's usage alone. */
export const dataState = { open: 0, slowed: 1, stopped: 2 } as const satisfies Record<DataState, number>;
export type DataStateNumber = (typeof dataState)[DataState];

export const dataStateOf = (number: number): DataState =>
  dataStates.find((state) => dataState[state] === number) ?? 'open';

/** A date or milliseconds; null if there is none. */
type Instant = Date | number | null;

/** What `sim_live` stores about a SIM's data. */
export interface StoredData {
  /** One of `dataState`. */
  dataState: number;
  /** While slowed. */
  rateKbps: number | null;
  /** End of the cycle that `dataState` belongs to. */
  cycleEndsAt: Instant;
  /** Until then it has no data: its shared pool is used up, and it used more than its own contribution. */
  poolStoppedUntil: Instant;
  /** Until then an operation limits its data: to this rate, or to none. */
  heldUntil: Instant;
  heldKbps: number | null;
}

interface Restriction {
  by: DataRestriction;
  /** Null: no data. */
  kbps: number | null;
  /** Null: without an end. */
  until: Instant;
}

const none: readonly Restriction[] = [];

/**
 * What restricts the data of a SIM at an instant. Pure. Each restriction ends by itself, so stored ones may be over. Access-Requests
 * and what screens show are decided here; the function `data_stopped_until` and its counterpart say the same to lists.
 */
export const restrictionsOf = (sim: StoredData, at: Date | number): readonly Restriction[] => {
  // Intake asks for each record: almost always there are none.
  if (sim.dataState === dataState.open && sim.poolStoppedUntil === null && sim.heldUntil === null)
    return none;
  const isCurrent = (until: Instant): boolean => until !== null && until.valueOf() > at.valueOf();
  const restrictions: Restriction[] = [];
  const { cycleEndsAt } = sim;
  if (cycleEndsAt === null || isCurrent(cycleEndsAt)) {
    const isSlowed = sim.dataState === dataState.slowed && sim.rateKbps !== null;
    if (isSlowed) restrictions.push({ by: 'quota', kbps: sim.rateKbps, until: cycleEndsAt });
    if (sim.dataState === dataState.stopped)
      restrictions.push({ by: 'quota', kbps: null, until: cycleEndsAt });
  }
  if (isCurrent(sim.poolStoppedUntil))
    restrictions.push({ by: 'pool', kbps: null, until: sim.poolStoppedUntil });
  if (isCurrent(sim.heldUntil)) restrictions.push({ by: 'rule', kbps: sim.heldKbps, until: sim.heldUntil });
  return restrictions;
};

/** The first of the restrictions that stop data. */
export const stopOf = (sim: StoredData, at: Date | number): DataRestriction | undefined =>
  restrictionsOf(sim, at).find(({ kbps }) => kbps === null)?.by;

/** The lowest of the rates to which data is slowed; null if none does. */
export const rateOf = (sim: StoredData, at: Date | number): number | null => {
  const rates = restrictionsOf(sim, at).flatMap(({ kbps }) => kbps ?? []);
  return rates.length > 0 ? Math.min(...rates) : null;
};

/** A SIM's data as responses show it. */
export const dataOf = (sim: StoredData, at: Date): SimData => {
  const restrictions = restrictionsOf(sim, at);
  const isStopped = stopOf(sim, at) !== undefined;
  const kbps = isStopped ? null : rateOf(sim, at);
  return {
    state: isStopped ? 'stopped' : kbps === null ? 'open' : 'slowed',
    kbps,
    restrictions: restrictions.map(({ until, ...one }) => ({
      ...one,
      until: until === null ? null : new Date(until).toISOString(),
    })),
  };
};
