import { limits } from '@simcube/contract';
import { dayMs, hourMs, minuteMs } from '@simcube/contract/time';

/**
 * `email`: the address that is tried, known or not; `network`: the caller's; `user`: codes, proofs and reset
 * tokens.
 */
export type AttemptKind = 'email' | 'network' | 'user';

/** From failure number `lockFrom` on, each failure is followed by a pause. */
export interface Policy {
  kind: AttemptKind;
  lockFrom: number;
  /**
   * `growing`: the first pause doubles with each further failure, up to the longest; failures are forgotten
   * this long after the last one. `windowMs`: everything is refused until the window that the first failure
   * opened ends; then all is forgotten.
   */
  pause: { growing: { firstMs: number; longestMs: number; forgottenAfterMs: number } } | { windowMs: number };
}

const growing = { firstMs: minuteMs, longestMs: hourMs, forgottenAfterMs: dayMs };

/** From this number of failures of an address on, a sign-in requires the mailed code. */
export const mailedCodeFrom = 5;

export const policies = {
  signIn: { kind: 'email', lockFrom: 10, pause: { growing } },
  /** Codes of an authenticator app and recovery codes, guessed by a person who has the password. */
  secondFactor: { kind: 'user', lockFrom: 5, pause: { growing } },
  /** The password, requested again in a session. */
  reauthentication: { kind: 'user', lockFrom: 5, pause: { growing } },
  /**
   * The pause does not grow: 256 bits can't be guessed at any rate, and a longer pause would let strangers keep
   * an owner from the link that lifts all other locks.
   */
  resetToken: {
    kind: 'user',
    lockFrom: 10,
    pause: { growing: { firstMs: minuteMs, longestMs: minuteMs, forgottenAfterMs: dayMs } },
  },
  /** Invitation mails, counted as they are sent: they must neither flood a mailbox nor misuse a sender's name. */
  sameInvitation: {
    kind: 'user',
    lockFrom: limits.invitationMails.sameInvitation,
    pause: { windowMs: dayMs },
  },
  sameAddress: { kind: 'user', lockFrom: limits.invitationMails.sameAddress, pause: { windowMs: dayMs } },
  sameOrganisation: {
    kind: 'user',
    lockFrom: limits.invitationMails.sameOrganisation,
    pause: { windowMs: hourMs },
  },
  /** Many people may share one network address. */
  network: { kind: 'network', lockFrom: 100, pause: { windowMs: 15 * minuteMs } },
} as const satisfies Record<string, Policy>;

/** The longest memory of any policy. */
export const failureRetentionMs = dayMs;

export interface Failures {
  failures: number;
  beganAt: Date;
  lastFailedAt: Date;
  lockedUntil: Date | null;
}

/** Remaining time of the pause; 0 if there is none. */
export const remainingLockMs = (known: Failures | undefined, now: Date): number =>
  Math.max(0, (known?.lockedUntil?.getTime() ?? 0) - now.getTime());

/** The failures that are not yet forgotten. */
export const unexpiredFailures = (
  { pause }: Policy,
  known: Failures | undefined,
  now: Date,
): Failures | undefined => {
  if (!known || known.failures === 0) return undefined;
  const age =
    'growing' in pause
      ? now.getTime() - known.lastFailedAt.getTime() - pause.growing.forgottenAfterMs
      : now.getTime() - known.beganAt.getTime() - pause.windowMs;
  return age < 0 ? known : undefined;
};

/** The failures after one more. */
export const withFailure = (policy: Policy, known: Failures | undefined, now: Date): Failures => {
  const before = unexpiredFailures(policy, known, now);
  const failures = (before?.failures ?? 0) + 1;
  const beganAt = before?.beganAt ?? now;
  return { failures, beganAt, lastFailedAt: now, lockedUntil: lockOf(policy, { failures, beganAt, now }) };
};

/** The failures after an attempt that was counted beforehand turns out not to be one. */
export const withoutFailure = (policy: Policy, known: Failures): Failures => {
  const failures = Math.max(known.failures - 1, 0);
  return { ...known, failures, lockedUntil: failures < policy.lockFrom ? null : known.lockedUntil };
};

const lockOf = (
  { lockFrom, pause }: Policy,
  { failures, beganAt, now }: { failures: number; beganAt: Date; now: Date },
): Date | null => {
  if (failures < lockFrom) return null;
  if (!('growing' in pause)) return new Date(beganAt.getTime() + pause.windowMs);
  const { firstMs, longestMs } = pause.growing;
  const doublings = Math.min(failures - lockFrom, 10);
  return new Date(now.getTime() + Math.min(firstMs * 2 ** doublings, longestMs));
};
