import type { CountedSession } from '../filed/filed-sessions.rules.ts';
import { adminReset, lostService, nasReboot, silence, superseded } from './causes.ts';
import type { SessionState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

/**
 * How long gateways repeat a packet that got no response, not always with Acct-Delay-Time: a report without a time of its
 * own that is received within this time after the end of its session may have been sent before it.
 */
const repeatedForMs = 60_000;

/** Whether a Start without volume shows that the id of a session that files have reported is used again. */
export const beginsAgain = ({ endedAt }: CountedSession, update: SessionUpdate): boolean =>
  update.status === 'start' && isLater(update, endedAt) && (update.up ?? 0) + (update.down ?? 0) === 0;

/** Whether something was sent after the end of a session. */
const isLater = (
  { at, hasEventTime }: Pick<SessionUpdate, 'at' | 'hasEventTime'>,
  endedAt: number,
): boolean => at > endedAt + (hasEventTime ? 0 : repeatedForMs);

/** Ends that no gateway reported, and that a later report of the session disproves. */
const presumed: ReadonlySet<string | null> = new Set([silence, lostService, superseded, nasReboot]);
/** All ends that no gateway reported. */
const closedHere: ReadonlySet<string | null> = new Set([...presumed, adminReset]);

/** How long a gateway may take to end a session that a person has reset. */
const resetTakesMs = 10_000;

/**
 * Whether the report disproves the presumed end of a session: that it was silent, that its gateway did not know it, that
 * its address became another SIM's, or that its gateway restarted. Otherwise nothing would be enforced on a session that
 * goes on. A report from before the end may arrive later: the report's own time shows that, else only that it comes long after.
 * A reset ends a session unless its volume still grows a while later: its gateway has refused, or done nothing.
 */
export const goesOn = (session: SessionState, update: SessionUpdate): boolean => {
  const { cause, stoppedAt } = session;
  if (stoppedAt === null) return false;
  if (presumed.has(cause)) return isLater(update, stoppedAt);
  if (cause !== adminReset || update.status === 'stop') return false;
  return isGrown(session, update) && isLater(update, stoppedAt + resetTakesMs);
};

const isGrown = ({ up, down }: SessionState, update: SessionUpdate): boolean =>
  (update.up ?? up) + (update.down ?? down) > up + down && !isLower({ up, down }, update);

const isHigher = ({ up, down }: SessionState, update: SessionUpdate): boolean =>
  (update.up ?? up) > up || (update.down ?? down) > down;

/** Counters of one session never go down. */
const isLower = ({ up, down }: Pick<SessionState, 'up' | 'down'>, update: SessionUpdate): boolean =>
  (update.up ?? up) < up || (update.down ?? down) < down;

/** For a reused session id: whether the report is from before the reuse, and so belongs to the earlier session. */
export const isBeforeReuse = (session: SessionState, update: SessionUpdate): boolean =>
  session.reusedAt !== null && update.hasEventTime && update.at < session.reusedAt;

/**
 * Whether the report is of another session under the same id. A later Start begins one, but with volume or time it continues
 * an open session, and one that follows another Start repeats it: some gateways resend it with a new time. If the session is
 * open, the gateway's counters have restarted from zero, as after an unreported reboot; a Start without a time of its own may
 * be that of the open session, received late, and only the lower volume of the next report shows another one.
 */
export const isReuse = (session: SessionState, update: SessionUpdate): boolean => {
  if (update.status !== 'start') return beganSince(session, update);
  const { stoppedAt, cause, updatedAt, startedAt } = session;
  if (stoppedAt !== null) {
    if (closedHere.has(cause) && isContinued(session, update)) return false;
    // A gateway that restarted may use it within the same second.
    return cause === nasReboot ? update.at >= stoppedAt : isLater(update, stoppedAt);
  }
  if (!update.hasEventTime) return false;
  const isContinuing = update.sessionSeconds + (update.up ?? 0) + (update.down ?? 0) > 0;
  return update.at > updatedAt && !isContinuing && updatedAt !== startedAt;
};

/** When a session began, by a report on it. */
export const beganAt = ({ status, at, sessionSeconds }: SessionUpdate): number =>
  status === 'start' ? at : at - sessionSeconds * 1000;

/** Times are in whole seconds. */
const roundingMs = 1000;

/**
 * Whether the session time of an Interim or Stop shows that its session began after everything known of its id: its Start was
 * lost. Unless the end of the known one was reported, its volume must be lower, too: a gateway may count the time from its
 * last report.
 */
const beganSince = (session: SessionState, update: SessionUpdate): boolean => {
  const { stoppedAt, updatedAt, cause } = session;
  const hasLess = isLower(session, update);
  const isOver = stoppedAt !== null && !closedHere.has(cause);
  if (update.sessionSeconds === 0 || !(isOver || hasLess)) return false;
  if (isOver && mayBeRepeated(session, update)) return false;
  const margin = hasLess && update.hasEventTime ? roundingMs : repeatedForMs;
  return beganAt(update) > (stoppedAt ?? updatedAt) + margin;
};

/**
 * Whether a report may be one of an ended session, repeated with a new time or, if it has no time of its own, received late:
 * no volume is higher. The same volume is not taken for another session's, and a lower one only if the gateway says when it
 * was, or if the ended session did not last that long.
 */
const mayBeRepeated = (session: SessionState, update: SessionUpdate): boolean => {
  if (isHigher(session, update)) return false;
  const hasLess = isLower(session, update);
  if (hasLess && update.hasEventTime) return false;
  if (!hasLess && (update.up ?? 0) + (update.down ?? 0) > 0) return true;
  const lastedMs = (session.stoppedAt ?? session.updatedAt) - session.startedAt;
  return update.sessionSeconds * 1000 <= lastedMs + repeatedForMs;
};

/** Whether it may be a reuse, whatever precedes it in its batch; false for usual reports. */
export const mayBeReuse = ({ updatedAt }: SessionState, update: SessionUpdate): boolean => {
  if (update.status === 'start') return update.at > updatedAt;
  return update.sessionSeconds > 0 && beganAt(update) > updatedAt + roundingMs;
};

/**
 * Whether the figures of a Start continue those of a session whose end was not reported: otherwise all of its volume would
 * be counted again. A session that begins under the same id counts its time and volume from zero.
 */
const isContinued = (session: SessionState, update: SessionUpdate): boolean => {
  const { at, sessionSeconds, hasEventTime, up, down } = update;
  const hasVolume = (up ?? 0) + (down ?? 0) > 0;
  if (hasVolume && isLower(session, update)) return false;
  if (sessionSeconds === 0) return hasVolume;
  return !isLater({ at: at - sessionSeconds * 1000, hasEventTime }, session.updatedAt);
};
