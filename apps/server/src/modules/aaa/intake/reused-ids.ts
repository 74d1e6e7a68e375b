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

/**
 * Whether the report disproves the presumed end of a session: that it was silent, that its gateway did not know it, that
 * its address became another SIM's, or that its gateway restarted. Otherwise nothing would be enforced on a session that
 * goes on. A report from before the end may arrive later: the report's own time shows that, else only that it comes long after.
 */
export const goesOn = ({ cause, stoppedAt }: SessionState, update: SessionUpdate): boolean =>
  stoppedAt !== null && presumed.has(cause) && isLater(update, stoppedAt);

/** For a reused session id: whether the report is from before the reuse, and so belongs to the earlier session. */
export const isBeforeReuse = (session: SessionState, update: SessionUpdate): boolean =>
  session.reusedAt !== null && update.hasEventTime && update.at < session.reusedAt;

/**
 * Whether this is a Start later than anything known of the id, so that it begins another session. A Start with volume or
 * time continues an open session, and one that follows another Start repeats it: some gateways resend it with a new time.
 * If the session is open, the gateway's counters have restarted from zero, as after an unreported reboot.
 */
export const isReuse = (session: SessionState, update: SessionUpdate): boolean => {
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

/**
 * Whether the figures of a Start continue those of a session whose end was not reported: otherwise all of its volume would
 * be counted again. A session that begins under the same id counts its time and volume from zero.
 */
const isContinued = (session: SessionState, update: SessionUpdate): boolean => {
  const { at, sessionSeconds, hasEventTime, up, down } = update;
  const hasVolume = (up ?? 0) + (down ?? 0) > 0;
  if (hasVolume && ((up ?? session.up) < session.up || (down ?? session.down) < session.down)) return false;
  if (sessionSeconds === 0) return hasVolume;
  return !isLater({ at: at - sessionSeconds * 1000, hasEventTime }, session.updatedAt);
};
