import { minuteMs } from '@simcube/contract/time';
import type { Clock } from '../../../platform/clock/index.ts';
import { RecentMap } from '../../../platform/recent/index.ts';
import type { DueEnforcement } from './sessions.views.ts';

/** Twice as long after each acknowledgement. */
const firstPauseMs = 2 * minuteMs;
const maxPauseMs = 60 * minuteMs;

/** More than are acknowledged within the longest pause, usually. */
const maxSessions = 100_000;

/**
 * Sessions whose gateway has acknowledged a Disconnect, while their Stop is still to come: it may be lost. They are requested
 * again with growing pauses, or when they report again: a gateway may not do what it acknowledges. In memory: after a restart,
 * once more.
 */
export class AcknowledgedEnds {
  readonly #clock: Clock;
  readonly #ends = new RecentMap<string, { pauseMs: number; until: number; reportedAt: number }>(maxSessions);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether its end was acknowledged so recently that the next request has to wait. */
  isAwaited(due: DueEnforcement): boolean {
    const end = this.#ends.get(nameOf(due));
    if (!end || due.session.updatedAt.getTime() > end.reportedAt) return false;
    const ms = end.until - this.#clock.now().getTime();
    // More if the clock was set back.
    return ms > 0 && ms <= end.pauseMs;
  }

  /** Whether it has not been acknowledged before, for this reason. */
  isNew(due: DueEnforcement): boolean {
    return this.#ends.get(nameOf(due)) === undefined;
  }

  add(due: DueEnforcement): void {
    const name = nameOf(due);
    const known = this.#ends.get(name);
    const pauseMs = known ? Math.min(2 * known.pauseMs, maxPauseMs) : firstPauseMs;
    const until = this.#clock.now().getTime() + pauseMs;
    this.#ends.set(name, { pauseMs, until, reportedAt: due.session.updatedAt.getTime() });
  }
}

/** A session whose id is used again, or that was closed here once more, is another one. */
const nameOf = ({ session, enforcement }: DueEnforcement): string => {
  const { simId, sessionKey, startedAt, stoppedAt } = session;
  const reason = enforcement.action === 'disconnect' ? enforcement.reason : 'rate';
  return [simId, sessionKey, startedAt.getTime(), stoppedAt?.getTime(), reason].join(' ');
};
