import type { CycleSpan, OveragePolicy, ResetCycle } from '../../bundle/index.ts';
import type { UsageOfHour } from '../../usage/index.ts';

/** A session as it stands in `radius_sessions`. Times are milliseconds. */
export interface SessionState {
  key: number;
  /** The organisation in whose time it began: its end is reported there, even when the SIM belongs to another by then. */
  orgId: number;
  /** Version of the stored row; 0 with `stored` false while it is not there yet. */
  updates: number;
  stored: boolean;
  id: string;
  nas: string;
  clientId: number;
  gatewayAddress: string;
  startedAt: number;
  updatedAt: number;
  stoppedAt: number | null;
  cause: string | null;
  reusedAt: number | null;
  up: number;
  down: number;
  ip: string | null;
  apn: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  cell: string | null;
}

/** What intake knows of a SIM: its identity, its `sim_live` row, its bundle, and the sessions it has met. */
export interface SimState {
  simId: number;
  orgId: number;
  iccid: string;
  lifecycle: number;
  /** Part of the version of the `sim_live` row. */
  lifecycleChanges: number;
  /** Type of the bundle in use. */
  bundleType: string | null;
  /** It is or was in a shared pool: its records are counted there, too. */
  isPooled: boolean;
  /** Its pool is used up, and it used more than its own contribution. */
  poolStoppedUntil: number | null;
  /** Until then an operation holds its data: at this rate, or off. */
  heldUntil: number | null;
  heldKbps: number | null;
  lastImei: string | null;
  connection: number;
  lastSeenAt: number | null;
  lastSessionAt: number | null;
  ip: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  cycleStartedAt: number | null;
  cycleEndsAt: number | null;
  /** The cycle before, when it was closed since the SIM was read. */
  lastCycle: CycleSpan | null;
  used: number;
  limit: number | null;
  /** The part of the limit that supplementary orders give. */
  extra: number;
  threshold: number | null;
  /** The usage from which on each record is looked at, for one version of what the organisation watches for. */
  watch: number | null;
  watchVersion: number;
  overLimit: boolean;
  dataState: number;
  rateKbps: number | null;
  /** What is not in the rollups yet: changes only together with `used`, which the version names. */
  openHour: UsageOfHour | null;
  bundle: {
    resetCycle: ResetCycle;
    policy: OveragePolicy;
    slowKbps: number | null;
    stopAfterBytes: number | null;
    /** Sessions outside of the countries that it covers are refused. */
    keepsHome: boolean;
  } | null;
  /** When the bundle came into use; without one, when the last that it had was over. */
  activatedAt: number | null;
  /** Open sessions and the last few closed ones, by key. */
  sessions: Map<number, SessionState>;
  /** Number of the batch that read it: decisions on its bundle are made on what was just read, never on the cache. */
  readIn: number;
  /** What was decided on it was not written: it says what the database does not. */
  isForgotten: boolean;
}
