import { radioTypes } from '@simcube/contract/sim';
import { connectionNumbers, simEvent } from '../../sim/index.ts';
import { type CdrRow, cdrKey, countVolume, reportKey } from '../../usage/index.ts';
import { nasReboot, silence, superseded } from './causes.ts';
import type { Changes, SimChange } from './changes.ts';
import { rate } from './rate.ts';
import type { SessionState, SimState } from './sim-state.ts';
import { plmnText, record, type Step } from './step.ts';
import type { SessionUpdate } from './update.ts';

const maxClosedSessions = 4;

/**
 * What one update does to a SIM: pure but for `sim` and `changes`, which it moves on. The caller forgets both when
 * the batch is not written. Repetitions, retransmissions and replays change nothing.
 */
export const applyUpdate = (step: Step): void => {
  const { sim, update, changes } = step;
  const known = sim.sessions.get(update.sessionKey);
  if (!known) {
    const session = newSession(sim, update);
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
  if (isNewLife(known, update)) {
    if (known.stoppedAt === null) abandon(step, known);
    reuse(step, known);
    move(step, known, { isFirst: true });
    return;
  }
  // A Start says nothing new of a session that is known, unless it brings volume along.
  if ((update.up ?? 0) + (update.down ?? 0) > 0) move(step, known);
  else changes.duplicates += 1;
};

/** Of an id that the gateway has used again: a report from before that belongs to the session that is over. */
const isEarlierLife = (session: SessionState, update: SessionUpdate): boolean =>
  session.reusedAt !== null && update.timed && update.at < session.reusedAt;

/**
 * A Start later than all that is known of the id. While the session is open, the gateway counts from nothing again, as
 * after a restart that it didn't report. One that brings volume or time along goes on with the session, and one that
 * follows another Start repeats it: some gateways send it again under a time of its own.
 */
const isNewLife = (session: SessionState, update: SessionUpdate): boolean => {
  if (!update.timed) return false;
  if (session.stoppedAt !== null) return update.at > session.stoppedAt;
  const goesOn = update.sessionSeconds + (update.up ?? 0) + (update.down ?? 0) > 0;
  const isRepeated = session.updatedAt === session.startedAt;
  return update.at > session.updatedAt && !goesOn && !isRepeated;
};

/** A lost Start is made up from the first update: it began as long ago as the gateway says. */
const newSession = ({ orgId }: SimState, update: SessionUpdate): SessionState => {
  const startedAt = update.status === 'start' ? update.at : update.at - update.sessionSeconds * 1000;
  return {
    key: update.sessionKey,
    orgId,
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

const opened = ({ sim, update, changes, rivals }: Step, session: SessionState): void => {
  sim.lastSessionAt = Math.max(sim.lastSessionAt ?? 0, session.startedAt);
  const change = changes.ofSim(sim);
  change.whereabouts = true;
  if (update.status !== 'stop') {
    noteNetwork(sim, session, changes);
    supersede({ sim, changes, rivals }, session);
  }
  const event = simEvent('session-started', {
    session: session.id,
    network: plmnText(session.plmn),
    radio: session.radio === null ? null : (radioTypes[session.radio - 1] ?? null),
    cell: session.cell,
    apn: session.apn,
    ip: session.ip,
  });
  record({ sim, changes }, change, update.at, event);
};

/**
 * A session begins at an address: what another SIM left open there has ended without saying so. Addresses are
 * private to a gateway and an APN.
 */
const supersede = (
  { sim, changes, rivals }: Pick<Step, 'sim' | 'changes' | 'rivals'>,
  session: SessionState,
): void => {
  if (session.ip === null) return;
  for (const { sim: other, session: left } of rivals.get(session.ip) ?? []) {
    const isThere = left.clientId === session.clientId && left.apn === session.apn;
    if (other === sim || left.stoppedAt !== null || !isThere || left.startedAt >= session.startedAt) continue;
    changes.ofSession(other, left);
    left.stoppedAt = Math.max(left.updatedAt, left.startedAt);
    left.cause = superseded;
    const change = changes.ofSim(other);
    connect({ sim: other, changes }, change, { session: left, at: session.startedAt });
  }
};

const reopen = ({ sim, changes }: Step, session: SessionState): void => {
  session.stoppedAt = null;
  session.cause = null;
  changes.ofSession(sim, session);
};

/** Its end was not reported, and its id stands for another session from now on. */
const abandon = ({ sim, update, changes }: Step, session: SessionState): void => {
  changes.ofSession(sim, session);
  session.stoppedAt = session.updatedAt;
  session.cause = nasReboot;
  connect({ sim, changes }, changes.ofSim(sim), { session, at: update.at });
};

const reuse = (step: Step, session: SessionState): void => {
  const { sim, update, changes } = step;
  Object.assign(session, newSession(sim, update), {
    updates: session.updates,
    stored: true,
    reusedAt: update.at,
  });
  changes.ofSession(sim, session).whole = true;
  opened(step, session);
};

/** Volume, time, network and end of a session that is known by now. */
const move = (step: Step, session: SessionState, more?: { isFirst: boolean }): void => {
  const { sim, update, changes } = step;
  const counted = countVolume(session, update);
  const bytes = counted.added.up + counted.added.down;
  const isNewer = update.at > session.updatedAt;
  const ends = update.status === 'stop' && (session.stoppedAt === null || session.cause === silence);
  const isFirst = more?.isFirst ?? changes.sessions.get(session)?.isNew === true;
  if (counted.regressed) changes.regressed += 1;
  if (bytes === 0 && !isNewer && !ends && !isFirst) {
    changes.duplicates += 1;
    return;
  }
  changes.ofSession(sim, session);
  const simChange = changes.ofSim(sim);
  // An end that was reported twice counts where it was reported first; late volume is counted all the same.
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
  }
  sim.lastSeenAt = Math.max(sim.lastSeenAt ?? 0, update.at);
  connect(step, simChange, ends ? { session, at: update.at } : undefined);
  if (bytes > 0) {
    const cdr: CdrRow = {
      simId: sim.simId,
      orgId: sim.orgId,
      startedAt,
      endedAt: update.at,
      dedupeKey: reportKey(session.key, session),
      sessionKey: session.key,
      up: counted.added.up,
      down: counted.added.down,
      plmn: session.plmn ?? 0,
      radio: session.radio ?? 0,
      apn: session.apn,
      cell: session.cell,
    };
    if (changes.counted.has(cdrKey(cdr))) {
      changes.duplicates += 1;
      return;
    }
    changes.cdrs.push(cdr);
    if (sim.isPooled) changes.pooled.push({ simId: sim.simId, at: update.at, ...counted.added });
    rate(step, simChange, session, counted.added);
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
    const isElsewhere = plmn !== null && plmn !== session.plmn;
    session.plmn = plmn ?? session.plmn;
    if (isElsewhere) noteNetwork(sim, session, changes);
    session.radio = radio ?? session.radio;
    session.imei = imei ?? session.imei;
    session.ip = ip ?? session.ip;
    session.apn = apn ?? session.apn;
    session.cell = cell ?? session.cell;
    changes.ofSession(sim, session).whole = true;
  }
  noteDevice(step, session, simChange);
};

/** A SIM that may not be everywhere has come into a network: whether it may be there is decided off this path. */
const noteNetwork = (sim: SimState, { plmn }: SessionState, changes: Changes): void => {
  if (plmn === null || !sim.bundle?.keepsHome) return;
  changes.abroad.set(sim.simId, { simId: sim.simId, orgId: sim.orgId, plmn });
};

const noteDevice = ({ sim, update, changes }: Step, session: SessionState, simChange: SimChange): void => {
  if (
    session.plmn !== sim.plmn ||
    session.radio !== sim.radio ||
    session.ip !== sim.ip ||
    session.imei !== sim.imei
  ) {
    if (sim.plmn !== null && session.plmn !== null && session.plmn !== sim.plmn) {
      const event = simEvent('network-changed', { from: plmnText(sim.plmn), to: plmnText(session.plmn) });
      record({ sim, changes }, simChange, update.at, event);
    }
    sim.plmn = session.plmn ?? sim.plmn;
    sim.radio = session.radio ?? sim.radio;
    sim.ip = session.ip ?? sim.ip;
    sim.imei = session.imei ?? sim.imei;
    simChange.whereabouts = true;
  }
  if (session.imei !== null && session.imei !== sim.lastImei) {
    if (sim.lastImei !== null) {
      const device = { from: sim.lastImei, to: session.imei };
      record({ sim, changes }, simChange, update.at, simEvent('imei-changed', device));
      const { simId, orgId, iccid } = sim;
      changes.devices.push({ simId, org_id: orgId, iccid, ...device, at: update.at });
    }
    const changedAt = sim.lastImei === null ? null : update.at;
    sim.lastImei = session.imei;
    changes.imeis.set(sim.simId, { imei: session.imei, changedAt });
  }
};

/** Online while any session is open, offline after the last one's end. */
const connect = (
  { sim, changes }: Pick<Step, 'sim' | 'changes'>,
  change: SimChange,
  ended: { session: SessionState; at: number } | undefined,
): void => {
  let isOpen = false;
  for (const session of sim.sessions.values()) if (session.stoppedAt === null) isOpen = true;
  const wanted = isOpen ? connectionNumbers.online : connectionNumbers.offline;
  if (isOpen || ended) sim.connection = wanted;
  if (!ended) return;
  const { session, at } = ended;
  const bytes = session.up + session.down;
  const event = simEvent('session-stopped', { session: session.id, cause: session.cause, bytes });
  record({ sim, changes, orgId: session.orgId }, change, at, event);
  forgetOldSessions(sim, changes);
};

/**
 * A few closed sessions stay known, so that an end that is reported again needs no query. Those that this
 * batch changes stay as well: one that came up again in it would be written twice.
 */
const forgetOldSessions = (sim: SimState, changes: Changes): void => {
  let closed = 0;
  for (const session of sim.sessions.values()) if (session.stoppedAt !== null) closed += 1;
  for (const session of sim.sessions.values()) {
    if (closed <= maxClosedSessions) return;
    if (session.stoppedAt === null || changes.sessions.has(session)) continue;
    sim.sessions.delete(session.key);
    closed -= 1;
  }
};
