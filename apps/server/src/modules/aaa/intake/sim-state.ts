import type { CycleSpan, OveragePolicy, ResetCycle } from '../../bundle/index.ts';
import type { UsageOfHour } from '../../usage/index.ts';

/** A session as stored in `radius_sessions`. Times are milliseconds. */
export interface SessionState {
  key: number;
  /** The organisation that owned the SIM when the session began. Its end is reported there even if the SIM has moved since. */
  orgId: number;
  /** Version of the stored row; 0 with `stored` false if there is none yet. */
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

/** What intake knows of a SIM: its identity, its `sim_live` row, its bundle, and sessions. */
export interface SimState {
  simId: number;
  orgId: number;
  iccid: string;
  lifecycle: number;
  /** Part of the version of the `sim_live` row. */
  lifecycleChanges: number;
  /** Type of the bundle in use. */
  bundleType: string | null;
  /** It is or was in a shared pool, so its records are also counted there. */
  isPooled: boolean;
  /** A pool's limit applies instead of its own. */
  usesPoolLimit: boolean;
  /** Set if its pool is used up and it used more than its own contribution. */
  poolStoppedUntil: number | null;
  /** Until then an operation limits its data: to this rate, or to none. */
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
  /** The previous cycle, if it was closed since the SIM was read. */
  lastCycle: CycleSpan | null;
  used: number;
  limit: number | null;
  /** The part of the limit that supplementary orders give. */
  extra: number;
  threshold: number | null;
  /** The usage from which each record is checked, for one version of the organisation's watches. */
  watch: number | null;
  watchVersion: number;
  overLimit: boolean;
  dataState: number;
  rateKbps: number | null;
  /** Usage that is not in the rollups yet. It changes only together with `used`, which is part of the version. */
  openHour: UsageOfHour | null;
  bundle: {
    resetCycle: ResetCycle;
    policy: OveragePolicy;
    slowKbps: number | null;
    stopAfterBytes: number | null;
    /** Sessions outside the countries that it covers are rejected. */
    rejectsOutsideCoverage: boolean;
  } | null;
  /** When the bundle came into use; without a bundle, when the last one ended. */
  activatedAt: number | null;
  /** Open sessions and the last few closed ones, by key. */
  sessions: Map<number, SessionState>;
  /** Number of the batch that read it: decisions on the bundle use only what was just read, never the cache. */
  readInBatch: number;
  /** Decisions on it were not written, so it no longer matches the database. */
  isForgotten: boolean;
}
