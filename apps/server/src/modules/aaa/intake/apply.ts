import { connectionNumbers } from '../../sim/index.ts';
import { countVolume, cycleOf, dataState, hashNumbers53, judgeUsage } from '../../usage/index.ts';
import type { Changes, Facts, SimChange } from './changes.ts';
import type { SessionState, SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

/** Causes that we gave to sessions whose end nobody told us. */
export const silence = 'Silence';
export const superseded = 'Superseded';

const hourMs = 3_600_000;
const closedSessionsKept = 4;

/** Thrown when a decision needs the SIM's bundle and what is known of it is from an earlier batch. */
export class StaleSim extends Error {
  override readonly name = 'StaleSim';
  constructor(readonly simId: number) {
    super('The SIM has to be read anew');
  }
}

interface Step {
  sim: SimState;
  update: SessionUpdate;
  changes: Changes;
  /** Number of the running batch. */
  batch: number;
}

/**
 * What one update does to a SIM: pure but for `sim` and `changes`, which it moves on. The caller forgets both when
 * the batch is not written. Repetitions, retransmissions and replays change nothing.
 */
export const applyUpdate = (step: Step): void => {
  const { sim, update, changes } = step;
  const known = sim.sessions.get(update.sessionKey);
  if (!known) {
    const session = newSession(update);
    sim.sessions.set(session.key, session);
    changes.ofSession(sim, session);
    opened(step, session);
    move(step, session);
    return;
  }
  if (isEarlierLife(known, update)) {
    changes.stale += 1;
    return;
  }
  if (update.status !== 'start') {
    if (known.cause === silence && known.stoppedAt !== null && update.at > known.stoppedAt)
      reopen(step, known);
    move(step, known);
    return;
  }
  if (known.stoppedAt !== null && update.timed && update.at > known.stoppedAt) {
    reuse(step, known);
    move(step, known);
    return;
  }
  changes.duplicates += 1;
};

/** Of an id that the gateway has used again: a report from before that belongs to the session that is over. */
const isEarlierLife = (session: SessionState, update: SessionUpdate): boolean =>
  session.reusedAt !== null && update.timed && update.at < session.reusedAt;

/** A lost Start is made up from the first update: it began as long ago as the gateway says. */
const newSession = (update: SessionUpdate): SessionState => {
  const startedAt = update.status === 'start' ? update.at : update.at - update.sessionSeconds * 1000;
  return {
    key: update.sessionKey,
    updates: 0,
    stored: false,
    id: update.sessionId,
    nas: update.nas,
    clientId: update.clientId,
    gatewayAddress: update.gatewayAddress,
    startedAt,
    updatedAt: startedAt,
    stoppedAt: null,
    cause: null,
    reusedAt: null,
    up: 0,
    down: 0,
    ip: update.ip,
    apn: update.apn,
    plmn: update.plmn,
    radio: update.radio,
    imei: update.imei,
    cell: update.cell,
  };
};

const opened = ({ sim, update, changes }: Step, session: SessionState): void => {
  sim.lastSessionAt = Math.max(sim.lastSessionAt ?? 0, session.startedAt);
  const change = changes.ofSim(sim);
  change.whereabouts = true;
  if (update.status === 'stop') return;
  if (session.ip !== null) {
    const { ip, apn, clientId, startedAt: at } = session;
    changes.taken.push({ simId: sim.simId, ip, apn, clientId, at });
  }
  record({ sim, changes }, change, 'session-opened', update.at, {
    session: session.id,
    plmn: plmnText(session.plmn),
    radio: session.radio,
    cell: session.cell,
    apn: session.apn,
    ip: session.ip,
  });
};

const reopen = ({ sim, changes }: Step, session: SessionState): void => {
  session.stoppedAt = null;
  session.cause = null;
  changes.ofSession(sim, session).whole = true;
};

const reuse = (step: Step, session: SessionState): void => {
  const { sim, update, changes } = step;
  Object.assign(session, newSession(update), {
    updates: session.updates,
    stored: true,
    reusedAt: update.at,
  });
  changes.ofSession(sim, session).whole = true;
  opened(step, session);
};

/** Volume, time, network and end of a session that is known by now. */
const move = (step: Step, session: SessionState): void => {
  const { sim, update, changes } = step;
  const counted = countVolume(session, update);
  const bytes = counted.added.up + counted.added.down;
  const isNewer = update.at > session.updatedAt;
  const ends = update.status === 'stop' && (session.stoppedAt === null || session.cause === silence);
  const isFirst = changes.sessions.get(session)?.isNew === true;
  if (counted.regressed) changes.regressed += 1;
  if (bytes === 0 && !isNewer && !ends && !isFirst) {
    changes.duplicates += 1;
    return;
  }
  const change = changes.ofSession(sim, session);
  const simChange = changes.ofSim(sim);
  // An end that was told twice counts where it was told first; late volume is counted all the same.
  const startedAt = Math.min(session.updatedAt, update.at);
  session.up = counted.total.up;
  session.down = counted.total.down;
  if (isNewer || isFirst) {
    session.updatedAt = Math.max(session.updatedAt, update.at);
    if (session.stoppedAt === null) takeWhereabouts(step, session, simChange);
  }
  if (ends) {
    session.stoppedAt = update.at;
    session.cause = update.cause;
    change.whole = true;
  }
  sim.lastSeenAt = Math.max(sim.lastSeenAt ?? 0, update.at);
  connect(step, simChange, ends ? session : undefined);
  if (bytes > 0) {
    const dedupeKey = hashNumbers53(session.key, session.up, session.down);
    changes.cdrs.push({
      simId: sim.simId,
      orgId: sim.orgId,
      startedAt,
      endedAt: update.at,
      dedupeKey,
      sessionKey: session.key,
      up: counted.added.up,
      down: counted.added.down,
      plmn: session.plmn ?? 0,
      radio: session.radio ?? 0,
      apn: session.apn,
      cell: session.cell,
    });
    addSlice(simChange, session, update.at, counted.added);
    rate(step, simChange, bytes);
  }
};

/** Network, device and address of a session, and of the SIM, when the gateway says something else than before. */
const takeWhereabouts = (step: Step, session: SessionState, simChange: SimChange): void => {
  const { sim, update, changes } = step;
  const { plmn, radio, imei, ip, apn, cell } = update;
  const moved =
    (plmn !== null && plmn !== session.plmn) ||
    (radio !== null && radio !== session.radio) ||
    (imei !== null && imei !== session.imei) ||
    (ip !== null && ip !== session.ip) ||
    (apn !== null && apn !== session.apn) ||
    (cell !== null && cell !== session.cell);
  if (moved) {
    session.plmn = plmn ?? session.plmn;
    session.radio = radio ?? session.radio;
    session.imei = imei ?? session.imei;
    session.ip = ip ?? session.ip;
    session.apn = apn ?? session.apn;
    session.cell = cell ?? session.cell;
    changes.ofSession(sim, session).whole = true;
  }
  noteDevice(step, session, simChange);
};

const noteDevice = ({ sim, update, changes }: Step, session: SessionState, simChange: SimChange): void => {
  if (
    session.plmn !== sim.plmn ||
    session.radio !== sim.radio ||
    session.ip !== sim.ip ||
    session.imei !== sim.imei
  ) {
    if (sim.plmn !== null && session.plmn !== null && session.plmn !== sim.plmn) {
      record({ sim, changes }, simChange, 'network-changed', update.at, {
        from: plmnText(sim.plmn),
        to: plmnText(session.plmn),
      });
    }
    sim.plmn = session.plmn ?? sim.plmn;
    sim.radio = session.radio ?? sim.radio;
    sim.ip = session.ip ?? sim.ip;
    sim.imei = session.imei ?? sim.imei;
    simChange.whereabouts = true;
  }
  if (session.imei !== null && session.imei !== sim.lastImei) {
    if (sim.lastImei !== null) {
      record({ sim, changes }, simChange, 'imei-changed', update.at, {
        from: sim.lastImei,
        to: session.imei,
      });
    }
    sim.lastImei = session.imei;
    changes.imeis.set(sim.simId, session.imei);
  }
};

/** Online while any session is open, offline after the last one's end. */
const connect = (
  { sim, update, changes }: Step,
  change: SimChange,
  ended: SessionState | undefined,
): void => {
  let isOpen = false;
  for (const session of sim.sessions.values()) if (session.stoppedAt === null) isOpen = true;
  const wanted = isOpen ? connectionNumbers.online : connectionNumbers.offline;
  if (sim.connection !== wanted && (isOpen || ended)) {
    sim.connection = wanted;
    change.whereabouts = true;
  }
  if (!ended) return;
  record({ sim, changes }, change, 'session-closed', update.at, {
    session: ended.id,
    cause: ended.cause,
    bytes: ended.up + ended.down,
  });
  forgetOldSessions(sim);
};

/** A few closed sessions stay known, so that the end that is told again needs no look at the database. */
const forgetOldSessions = (sim: SimState): void => {
  let closed = 0;
  for (const session of sim.sessions.values()) if (session.stoppedAt !== null) closed += 1;
  for (const session of sim.sessions.values()) {
    if (closed <= closedSessionsKept) return;
    if (session.stoppedAt === null) continue;
    sim.sessions.delete(session.key);
    closed -= 1;
  }
};

const addSlice = (
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
const rate = (step: Step, change: SimChange, bytes: number): void => {
  const { sim, update } = step;
  change.bytes += bytes;
  if (sim.cycleStartedAt !== null && update.at < sim.cycleStartedAt) {
    addLate(step, bytes);
    return;
  }
  if (sim.cycleEndsAt === null || update.at >= sim.cycleEndsAt) turnCycle(step, change);
  sim.used += bytes;
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
  });
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
    record({ sim, changes }, change, 'quota-reached', update.at, {
      used_bytes: usedBytes,
      limit_bytes: limitBytes,
      policy: sim.bundle?.policy ?? null,
    });
  }
};

const requireFresh = (sim: SimState, batch: number): void => {
  if (sim.readIn !== batch) throw new StaleSim(sim.simId);
};

const record = (
  { sim, changes }: Pick<Step, 'sim' | 'changes'>,
  change: SimChange,
  kind: string,
  at: number,
  facts: Facts,
): void => {
  change.kinds.push(kind);
  changes.events.push({ simId: sim.simId, orgId: sim.orgId, iccid: sim.iccid, at, kind, facts });
};

const plmnText = (plmn: number | null): string | null =>
  plmn === null ? null : `${Math.floor(plmn / 1000)}-${String(plmn % 1000).padStart(2, '0')}`;
