import { hourMs } from '@simcube/contract/time';
import { applyUpdate } from '../modules/aaa/intake/apply.ts';
import { Changes } from '../modules/aaa/intake/changes.ts';
import type { SimState } from '../modules/aaa/intake/sim-state.ts';
import type { Step } from '../modules/aaa/intake/step.ts';
import type { SessionUpdate } from '../modules/aaa/intake/update.ts';
import { sessionUpdate } from './session-updates.ts';

/** Start of the sessions. */
export const start = Date.UTC(2026, 10, 20, 12);
export const hour = hourMs;

/** An active SIM in a calendar month, as intake caches it. */
export const simState = (facts: Partial<SimState> = {}): SimState => ({
  simId: 1,
  orgId: 2,
  iccid: '8949020000000000001',
  lifecycle: 23,
  lifecycleChanges: 0,
  bundleType: null,
  isPooled: false,
  usesPoolLimit: false,
  poolStoppedUntil: null,
  heldUntil: null,
  heldKbps: null,
  lastImei: null,
  connection: 0,
  lastSeenAt: null,
  lastSessionAt: null,
  ip: null,
  plmn: null,
  radio: null,
  imei: null,
  cycleStartedAt: Date.UTC(2026, 9, 31, 16),
  cycleEndsAt: Date.UTC(2026, 10, 30, 16),
  lastCycle: null,
  used: 0,
  limit: null,
  extra: 0,
  threshold: null,
  watch: null,
  watchVersion: 0,
  overLimit: false,
  dataState: 0,
  rateKbps: null,
  openHour: null,
  bundle: null,
  activatedAt: null,
  sessions: new Map(),
  readInBatch: 1,
  isForgotten: false,
  ...facts,
});

/** An update of its session. */
export const makeUpdate = (facts: Partial<SessionUpdate>): SessionUpdate =>
  sessionUpdate(
    { imsi: '1', at: start },
    { sessionKey: 11, sessionId: 'S', gatewayAddress: '10.0.0.1', ...facts },
  );

/** The result of the updates. */
export const applyUpdates = (
  sim: SimState,
  updates: readonly SessionUpdate[],
  batch = 1,
  {
    closed = new Map(),
    watches = new Map(),
    rivals = new Map(),
  }: Partial<Pick<Step, 'closed' | 'watches' | 'rivals'>> = {},
): Changes => {
  const changes = new Changes();
  for (const update of updates)
    applyUpdate({
      sim,
      update,
      changes,
      batch,
      rivals,
      filed: new Map(),
      closed,
      watches,
      longCodes: new Set(),
    });
  return changes;
};
