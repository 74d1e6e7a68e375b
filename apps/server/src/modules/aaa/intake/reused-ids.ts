import type { CountedSession } from '../filed/filed-sessions.rules.ts';
import { lostService, nasReboot, silence } from './causes.ts';
import type { SessionState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

/**
 * How long gateways repeat a packet that got no response, not always with Acct-Delay-Time: a Start without a time of its
 * own that is received within this time after the end of its session may have been sent before it.
 */
const repeatedForMs = 60_000;

/** Whether a Start without volume shows that the id of a session that files have reported is used again. */
export const beginsAgain = ({ endedAt }: CountedSession, update: SessionUpdate): boolean =>
  update.status === 'start' && isLater(update, endedAt) && (update.up ?? 0) + (update.down ?? 0) === 0;

/** Whether a Start was sent after the end of a session. */
const isLater = ({ at, hasEventTime }: SessionUpdate, endedAt: number): boolean =>
  at > endedAt + (hasEventTime ? 0 : repeatedForMs);

/**
 * Whether the report disproves the presumed end of a session: that it was silent, that its gateway did not know it, or
 * that its gateway restarted, if the report's own time says so: one from before it may arrive later. Otherwise nothing
 * would be enforced on a session that goes on.
 */
export const goesOn = ({ cause, stoppedAt }: SessionState, { at, hasEventTime }: SessionUpdate): boolean => {
  if (stoppedAt === null || at <= stoppedAt) return false;
  return cause === silence || cause === lostService || (cause === nasReboot && hasEventTime);
};

/** For a reused session id: whether the report is from before the reuse, and so belongs to the earlier session. */
export const isBeforeReuse = (session: SessionState, update: SessionUpdate): boolean =>
  session.reusedAt !== null && update.hasEventTime && update.at < session.reusedAt;

/**
 * Whether this is a Start later than anything known of the id. If the session is open, the gateway's counters have
 * restarted from zero, as after an unreported reboot. A Start with volume or time continues the session, and one that
 * follows another Start repeats it: some gateways resend it with a new time.
 */
export const isReuse = (session: SessionState, update: SessionUpdate): boolean => {
  // A gateway that restarted may use it within the same second.
  if (session.cause === nasReboot) return update.at >= (session.stoppedAt ?? 0);
  if (session.stoppedAt !== null) return isLater(update, session.stoppedAt);
  if (!update.hasEventTime) return false;
  const isContinuing = update.sessionSeconds + (update.up ?? 0) + (update.down ?? 0) > 0;
  const isStillStart = session.updatedAt === session.startedAt;
  return update.at > session.updatedAt && !isContinuing && !isStillStart;
};
