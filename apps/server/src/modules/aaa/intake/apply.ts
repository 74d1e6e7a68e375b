import { radioTypes } from '@simcube/contract/sim';
import { connectionNumbers, simEvent } from '../../sim/index.ts';
import { type CdrRow, cdrKey, countVolume, reportKey, type Volume } from '../../usage/index.ts';
import { networkCode } from '../network-codes.ts';
import { nasReboot, silence, superseded } from './causes.ts';
import type { Changes, SimChange } from './changes.ts';
import { rate } from './rate.ts';
import { beganAt, beginsAgain, goesOn, isBeforeReuse, isReuse } from './reused-ids.ts';
import { sessionName } from './sim-cache.ts';
import type { SessionState, SimState } from './sim-state.ts';
import { recordEvent, type Step } from './step.ts';
import type { SessionUpdate } from './update.ts';

const maxClosedSessions = 4;

/**
 * Applies one update to a SIM. Pure, except that it modifies `sim` and `changes`; the caller discards both if the
 * batch is not written. Repetitions, retransmissions and replays change nothing.
 */
export const applyUpdate = (step: Step): void => {
  const { sim, update, changes } = step;
  const known = sim.sessions.get(update.sessionKey);
  if (!known) {
    const filed = step.filed.get(sessionName(sim.simId, update.sessionKey));
    const before = filed && beginsAgain(filed, update) ? undefined : filed;
    const reusedAt = filed && !before ? update.at : null;
    const session = { ...newSession(sim, update), ...before?.to, reusedAt };
    sim.sessions.set(session.key, session);
    changes.trackSession(sim, session);
    recordOpened(step, session);
    updateSession(step, session, { isFirst: true, uncounted: before?.from });
    return;
  }
  if (isBeforeReuse(known, update)) {
    changes.stale += 1;
    return;
  }
  if (isReuse(known, update)) {
    if (known.stoppedAt === null) abandon(step, known);
    reuse(step, known);
    updateSession(step, known, { isFirst: true });
    return;
  }
  const continues = goesOn(known, update) && !isSuperseded(step, known);
  if (continues) reopen(step, known);
  // A Start adds nothing to a known session unless it reports volume, or that the session goes on.
  if (update.status !== 'start' || continues || (update.up ?? 0) + (update.down ?? 0) > 0)
    updateSession(step, known);
  else changes.duplicates += 1;
};

/** If the Start was lost, the session is created from the first update; its start follows from the session time in it. */
const newSession = ({ orgId }: SimState, update: SessionUpdate): SessionState => {
  const startedAt = beganAt(update);
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

const recordOpened = ({ sim, update, changes, rivals, longCodes }: Step, session: SessionState): void => {
  sim.lastSessionAt = Math.max(sim.lastSessionAt ?? 0, Math.min(session.startedAt, update.seenAt));
  const change = changes.trackSim(sim);
  change.attachmentChanged = true;
  if (update.status !== 'stop') {
    recordNetworkEntered(sim, session, changes);
    supersede({ sim, changes, rivals }, session);
  }
  const event = simEvent('session-started', {
    session: session.id,
    network: session.plmn === null ? null : networkCode(session.plmn, longCodes),
    radio: session.radio === null ? null : (radioTypes[session.radio - 1] ?? null),
    cell: session.cell,
    apn: session.apn,
    ip: session.ip,
  });
  recordEvent({ sim, changes }, change, session.startedAt, event);
};

/** Sessions of other SIMs that are still open at a new session's address have ended without a Stop. */
const supersede = (
  { sim, changes, rivals }: Pick<Step, 'sim' | 'changes' | 'rivals'>,
  session: SessionState,
): void => {
  if (session.ip === null) return;
  const list = rivals.get(session.ip);
  if (!list) return;
  for (const { sim: other, session: rival } of list) {
    if (other === sim || !holdsAddress(rival, session) || rival.startedAt >= session.startedAt) continue;
    changes.trackSession(other, rival);
    rival.stoppedAt = Math.max(rival.updatedAt, rival.startedAt);
    rival.cause = superseded;
    const change = changes.trackSim(other);
    updateConnection({ sim: other, changes }, change, { session: rival, at: session.startedAt });
  }
  // For later reports of this batch on the sessions that it ended.
  list.push({ sim, session });
};

/** Whether an open session holds the address of another one. Addresses are unique for a gateway and APN only. */
const holdsAddress = (rival: SessionState, { nas, clientId, apn }: SessionState): boolean =>
  rival.stoppedAt === null && rival.nas === nas && rival.clientId === clientId && rival.apn === apn;

/** Whether a session that was superseded did end: the address that it reports is another SIM's now. */
const isSuperseded = ({ sim, update, rivals }: Step, session: SessionState): boolean => {
  const ip = update.ip ?? session.ip;
  if (session.cause !== superseded || ip === null) return false;
  return (rivals.get(ip) ?? []).some(
    ({ sim: other, session: rival }) => other !== sim && holdsAddress(rival, session),
  );
};

const reopen = ({ sim, changes }: Step, session: SessionState): void => {
  session.stoppedAt = null;
  session.cause = null;
  changes.trackSession(sim, session);
};

/** Closes a session whose end was not reported and whose id is now used by another session. */
const abandon = ({ sim, update, changes }: Step, session: SessionState): void => {
  changes.trackSession(sim, session);
  session.stoppedAt = session.updatedAt;
  session.cause = nasReboot;
  updateConnection({ sim, changes }, changes.trackSim(sim), { session, at: beganAt(update) });
};

const reuse = (step: Step, session: SessionState): void => {
  const { sim, update, changes } = step;
  Object.assign(session, newSession(sim, update), {
    updates: session.updates,
    stored: true,
    reusedAt: beganAt(update),
  });
  changes.trackSession(sim, session).isFullWrite = true;
  recordOpened(step, session);
};

/** Updates volume, time, network and end of a known session; `uncounted` is volume that counts too. */
const updateSession = (
  step: Step,
  session: SessionState,
  { isFirst, uncounted }: { isFirst: boolean; uncounted?: Volume | undefined } = { isFirst: false },
): void => {
  const { sim, update, changes } = step;
  const counted = countVolume(session, update);
  // What a session used before the records of files was used too, in whichever report it was.
  const up = counted.added.up + (uncounted?.up ?? 0);
  const down = counted.added.down + (uncounted?.down ?? 0);
  const bytes = up + down;
  const isNewer = update.at > session.updatedAt;
  const ends = update.status === 'stop' && (session.stoppedAt === null || session.cause === silence);
  if (counted.regressed) changes.regressed += 1;
  if (bytes === 0 && !isNewer && !ends && !isFirst) {
    changes.duplicates += 1;
    return;
  }
  changes.trackSession(sim, session);
  const simChange = changes.trackSim(sim);
  // If an end is reported twice, the first report counts; late volume is still counted.
  const startedAt = Math.min(session.updatedAt, update.at);
  session.up = counted.total.up;
  session.down = counted.total.down;
  if (isNewer || isFirst) {
    session.updatedAt = Math.max(session.updatedAt, update.at);
    if (session.stoppedAt === null) updateAttachment(step, session, { simChange, isFirst });
  }
  // The clock of the gateway may have been ahead at the Start.
  const endedAt = Math.max(update.at, session.startedAt);
  if (ends) {
    session.stoppedAt = endedAt;
    session.cause = update.cause;
  }
  if (showsSim(session, sim)) sim.lastSeenAt = Math.max(sim.lastSeenAt ?? 0, update.seenAt);
  updateConnection(step, simChange, ends ? { session, at: endedAt } : undefined);
  if (bytes > 0) {
    const cdr: CdrRow = {
      simId: sim.simId,
      orgId: sim.orgId,
      startedAt,
      endedAt: update.at,
      // The file may have a record with the session's total, at the same time.
      dedupeKey: reportKey(session.key, uncounted ?? session),
      sessionKey: session.key,
      up,
      down,
      // The report's own network: a session that is closed, or has a later report, is not moved to it.
      plmn: update.plmn ?? session.plmn ?? 0,
      radio: update.radio ?? session.radio ?? 0,
      apn: update.apn ?? session.apn,
      cell: update.cell ?? (isOwners(session, sim) ? session.cell : null),
    };
    if (changes.importedKeys.has(cdrKey(cdr))) {
      changes.duplicates += 1;
      return;
    }
    changes.cdrs.push(cdr);
    if (sim.isPooled) changes.pooled.push({ simId: sim.simId, at: update.at, up, down });
    rate(step, simChange, cdr);
  }
};

const isOwners = (session: SessionState, sim: SimState): boolean => session.orgId === sim.orgId;

/**
 * Whether a session shows the SIM's organisation where and when the SIM is used. One that began with a former owner does
 * so only while it goes on: a SIM that has not been seen online since its transfer is not seen by the end of that session.
 */
const showsSim = (session: SessionState, sim: SimState): boolean =>
  isOwners(session, sim) || session.stoppedAt === null || sim.connection === connectionNumbers.online;

type Attachment = Pick<SessionState, 'plmn' | 'radio' | 'imei' | 'ip' | 'apn' | 'cell'>;

/** The values that the report changes in its session, null where it changes none; undefined if it changes nothing. */
const changedBy = (update: SessionUpdate, session: SessionState): Attachment | undefined => {
  const { plmn, radio, imei, ip, apn, cell } = update;
  const hasChanged =
    (plmn !== null && plmn !== session.plmn) ||
    (radio !== null && radio !== session.radio) ||
    (imei !== null && imei !== session.imei) ||
    (ip !== null && ip !== session.ip) ||
    (apn !== null && apn !== session.apn) ||
    (cell !== null && cell !== session.cell);
  if (!hasChanged) return undefined;
  return {
    plmn: plmn === session.plmn ? null : plmn,
    radio: radio === session.radio ? null : radio,
    imei: imei === session.imei ? null : imei,
    ip: ip === session.ip ? null : ip,
    apn: apn === session.apn ? null : apn,
    cell: cell === session.cell ? null : cell,
  };
};

/**
 * Updates network, device and address of a session if the gateway reports other values, and of the SIM. If the SIM has
 * other open sessions, the one that began last, or changed last, is where it is: otherwise it would move to and fro with
 * each report of them.
 *
 * A session that goes on after a transfer gets what rating and Disconnects need, but not device and cell: its former owner
 * can read it. The SIM gets only what was reported since, because the new owner must not see what the former one saw.
 */
const updateAttachment = (
  step: Step,
  session: SessionState,
  { simChange, isFirst }: { simChange: SimChange; isFirst: boolean },
): void => {
  const { sim, update, changes } = step;
  followGateway(step, session);
  const changed = changedBy(update, session);
  if (changed) {
    session.plmn = changed.plmn ?? session.plmn;
    if (changed.plmn !== null) recordNetworkEntered(sim, session, changes);
    session.radio = changed.radio ?? session.radio;
    session.ip = changed.ip ?? session.ip;
    session.apn = changed.apn ?? session.apn;
    if (isOwners(session, sim)) {
      session.imei = changed.imei ?? session.imei;
      session.cell = changed.cell ?? session.cell;
    }
    changes.trackSession(sim, session).isFullWrite = true;
  }
  const isOnlyOne = !hasOtherOpen(sim, session);
  if (isOwners(session, sim) && isOnlyOne) updateSimAttachment(step, session, simChange);
  else if (update.status === 'stop') return;
  else if (isOnlyOne) updateSimAttachment(step, update, simChange);
  else if (isFirst) updateSimAttachment(step, session, simChange);
  else if (changed && isOwners(session, sim)) updateSimAttachment(step, changed, simChange);
};

/** After a failover, requests must go to the gateway that reports the session now. */
const followGateway = ({ sim, update, changes }: Step, session: SessionState): void => {
  const { clientId, gatewayAddress } = update;
  if (clientId === session.clientId && gatewayAddress === session.gatewayAddress) return;
  Object.assign(session, { clientId, gatewayAddress });
  changes.trackSession(sim, session).isFullWrite = true;
};

const hasOtherOpen = (sim: SimState, session: SessionState): boolean => {
  for (const other of sim.sessions.values()) if (other !== session && other.stoppedAt === null) return true;
  return false;
};

/** Notes that a SIM with a country restriction has entered a network; whether it may stay is decided elsewhere. */
const recordNetworkEntered = (sim: SimState, { plmn }: SessionState, changes: Changes): void => {
  if (plmn === null || !sim.bundle?.rejectsOutsideCoverage) return;
  changes.networksEntered.set(sim.simId, { simId: sim.simId, orgId: sim.orgId, plmn });
};

const updateSimAttachment = (
  { sim, update, changes, longCodes }: Step,
  { plmn, radio, ip, imei }: Attachment,
  simChange: SimChange,
): void => {
  if (
    (plmn !== null && plmn !== sim.plmn) ||
    (radio !== null && radio !== sim.radio) ||
    (ip !== null && ip !== sim.ip) ||
    (imei !== null && imei !== sim.imei)
  ) {
    if (sim.plmn !== null && plmn !== null && plmn !== sim.plmn) {
      const networks = { from: networkCode(sim.plmn, longCodes), to: networkCode(plmn, longCodes) };
      recordEvent({ sim, changes }, simChange, update.at, simEvent('network-changed', networks));
      simChange.movedAt = Math.min(update.at, simChange.movedAt ?? update.at);
    }
    sim.plmn = plmn ?? sim.plmn;
    sim.radio = radio ?? sim.radio;
    sim.ip = ip ?? sim.ip;
    sim.imei = imei ?? sim.imei;
    simChange.attachmentChanged = true;
  }
  if (imei !== null && imei !== sim.lastImei) {
    if (sim.lastImei !== null) {
      const device = { from: sim.lastImei, to: imei };
      recordEvent({ sim, changes }, simChange, update.at, simEvent('imei-changed', device));
      const { simId, orgId, iccid } = sim;
      changes.devices.push({ simId, orgId, iccid, ...device, at: update.at });
    }
    const changedAt = sim.lastImei === null ? null : update.at;
    sim.lastImei = imei;
    changes.imeis.set(sim.simId, { imei, changedAt });
  }
};

/**
 * While any session is open, what the report shows (a late one that the SIM was seen, but not that it is no longer
 * online); offline after the last one ends that shows the SIM.
 */
const updateConnection = (
  { sim, changes, update }: Pick<Step, 'sim' | 'changes'> & { update?: SessionUpdate },
  change: SimChange,
  endedSession: { session: SessionState; at: number } | undefined,
): void => {
  let isOpen = false;
  for (const session of sim.sessions.values()) if (session.stoppedAt === null) isOpen = true;
  if (isOpen) {
    if (update?.shows && sim.connection !== connectionNumbers.online)
      sim.connection = connectionNumbers[update.shows];
  } else if (endedSession && showsSim(endedSession.session, sim)) sim.connection = connectionNumbers.offline;
  if (!endedSession) return;
  const { session, at } = endedSession;
  const bytes = session.up + session.down;
  const event = simEvent('session-stopped', { session: session.id, cause: session.cause, bytes });
  recordEvent({ sim, changes, orgId: session.orgId }, change, at, event);
  evictOldSessions(sim, changes);
};

/**
 * Keeps a few closed sessions, so that a repeated end needs no query. Those that this batch changes are kept too: if
 * one appeared in it again, it would otherwise be written twice.
 */
const evictOldSessions = (sim: SimState, changes: Changes): void => {
  let closed = 0;
  for (const session of sim.sessions.values()) if (session.stoppedAt !== null) closed += 1;
  for (const session of sim.sessions.values()) {
    if (closed <= maxClosedSessions) return;
    if (session.stoppedAt === null || changes.sessions.has(session)) continue;
    sim.sessions.delete(session.key);
    closed -= 1;
  }
};
