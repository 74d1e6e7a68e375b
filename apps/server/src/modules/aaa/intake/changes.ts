import type { RejectReason, SimEventKind } from '@simcube/contract/sim';
import type { PooledRecord } from '../../pool/index.ts';
import type { NewSimEvent } from '../../sim/index.ts';
import { type CdrRow, type CycleUsage, UsageSums } from '../../usage/index.ts';
import type { SessionState, SimState } from './sim-state.ts';

/** A SIM changed by the batch. The stored row must still have the `base…` values. */
export interface SimChange {
  sim: SimState;
  baseUsed: number;
  baseOrgId: number;
  baseCycleEndsAt: number | null;
  baseThreshold: number | null;
  baseWatch: number | null;
  baseLimit: number | null;
  baseExtra: number;
  bytes: number;
  baseConnection: number;
  /** Whether address, network, device and last session are written too. */
  attachmentChanged: boolean;
  /** Whether cycle, threshold and data state are written too. */
  ratingChanged: boolean;
  kinds: SimEventKind[];
  /** When the first move to another network happened, milliseconds. */
  movedAt: number | null;
}

export interface SessionChange {
  sim: SimState;
  session: SessionState;
  /** Version of the stored row that this write replaces. */
  base: number;
  isNew: boolean;
  /** Whether anything other than time, volume and end changed. */
  isFullWrite: boolean;
}

export interface Crossing {
  simId: number;
  orgId: number;
  iccid: string;
  usedBytes: number;
  thresholdBytes: number;
  limitBytes: number | null;
  overLimit: boolean;
  dataState: number;
  rateKbps: number | null;
  at: number;
}

/**
 * A batch was given two state objects for one SIM, so decisions made on the second would not be written. The whole
 * batch is discarded and decided again.
 */
export class ConflictingSimStates extends Error {
  override readonly name = 'ConflictingSimStates';
  constructor(readonly simId: number) {
    super('A batch has two states of one SIM');
  }
}

/** Everything that one batch writes, collected in memory and written by a few set-based statements. */
export class Changes {
  readonly sims = new Map<number, SimChange>();
  readonly sessions = new Map<SessionState, SessionChange>();
  readonly cdrs: CdrRow[] = [];
  /** For the rollups by SIM: completed hours, and late volume. */
  readonly hours = new UsageSums(16);
  /** By organisation: all usage. */
  readonly orgHours = new UsageSums(16);
  /** Records of SIMs that are or were in a shared pool. */
  readonly pooled: PooledRecord[] = [];
  readonly cycles: CycleUsage[] = [];
  readonly lateCycles: CycleUsage[] = [];
  readonly events: NewSimEvent[] = [];
  readonly crossings: Crossing[] = [];
  /** Records at or beyond the usage from which the organisation's rules check the SIM. */
  readonly watched: { sim: SimState; simId: number; orgId: number; at: number }[] = [];
  readonly reopened: { simId: number; orgId: number; iccid: string; dataStateBefore: number }[] = [];
  /** SIMs that moved to another device. */
  readonly devices: {
    simId: number;
    orgId: number;
    iccid: string;
    from: string;
    to: string;
    at: number;
  }[] = [];
  /** New devices by SIM; `changedAt` is null for a SIM's first one. */
  readonly imeis = new Map<number, { imei: string; changedAt: number | null }>();
  /** Networks entered by SIMs whose bundle rejects some countries. */
  readonly networksEntered = new Map<number, { simId: number; orgId: number; plmn: number }>();
  /** SIMs that must not be online but just reported a session. */
  readonly withoutService: { simId: number; orgId: number; reason: RejectReason }[] = [];
  duplicates = 0;
  regressed = 0;
  stale = 0;

  /** @param importedKeys keys of records that a file already brought: their sessions are updated, but nothing is counted again */
  constructor(readonly importedKeys: ReadonlySet<string> = new Set()) {}

  /** The change of a SIM; the required `base…` values are noted the first time. */
  trackSim(sim: SimState): SimChange {
    const known = this.sims.get(sim.simId);
    if (known && known.sim !== sim) throw new ConflictingSimStates(sim.simId);
    if (known) return known;
    const change: SimChange = {
      sim,
      baseUsed: sim.used,
      baseOrgId: sim.orgId,
      baseCycleEndsAt: sim.cycleEndsAt,
      baseThreshold: sim.threshold,
      baseWatch: sim.watch,
      baseLimit: sim.limit,
      baseExtra: sim.extra,
      bytes: 0,
      baseConnection: sim.connection,
      attachmentChanged: false,
      ratingChanged: false,
      kinds: [],
      movedAt: null,
    };
    this.sims.set(sim.simId, change);
    return change;
  }

  /** The change of a session; its version increases once per batch. */
  trackSession(sim: SimState, session: SessionState): SessionChange {
    const known = this.sessions.get(session);
    if (known) return known;
    const change: SessionChange = {
      sim,
      session,
      base: session.updates,
      isNew: !session.stored,
      isFullWrite: false,
    };
    this.sessions.set(session, change);
    if (session.stored) session.updates += 1;
    session.stored = true;
    return change;
  }
}
