import { dayMs } from '@simcube/contract/time';
import { isOutsideCoverage } from '../../aaa/index.ts';
import type { DiagnoseFacts } from '../diagnose-facts.rules.ts';
import type { Finding, FindingName } from '../diagnose-findings.rules.ts';
import { isFinal } from './subscription.rules.ts';

export const diagnoseAuthorisation = ({ access }: DiagnoseFacts): Finding => {
  if (!access.accept) return { finding: `refused-${access.reason}`, facts: { reason: access.reason } };
  return access.rateKbps === null
    ? { finding: 'let-in', facts: {} }
    : { finding: 'let-in-slowed', facts: { kbps: access.rateKbps } };
};

/**
 * By the connection that AAA stored, which every screen shows; for an offline SIM, also by how long it has been
 * silent.
 */
export const diagnoseRegistration = (diagnosed: DiagnoseFacts): Finding => {
  const { now, connection, lastSeenAt, network, session } = diagnosed;
  if (!lastSeenAt) return { finding: 'never-seen', facts: {} };
  const facts = {
    seen_at: lastSeenAt.toISOString(),
    country: network?.country ?? null,
    operator: network?.operator ?? null,
    plmn: network?.plmn ?? null,
    cell: session?.cell ?? null,
    town: session?.town ?? null,
  };
  if (connection === 'unknown') return { finding: 'silent', facts };
  const isOverADay = now.getTime() - lastSeenAt.getTime() > dayMs;
  return { finding: connection === 'offline' && isOverADay ? 'seen-before' : 'seen', facts };
};

/**
 * The causes that ended a session, from Acct-Terminate-Cause (RFC 2866, 5.10) and AAA's own, grouped by what
 * should be done.
 */
const endings = {
  device: ['User-Request', 'Callback', 'Host-Request'],
  signal: ['Lost-Carrier'],
  idle: ['Idle-Timeout', 'Port-Unneeded'],
  limit: ['Session-Timeout'],
  console: ['Admin-Reset'],
  gateway: [
    'Lost-Service',
    'Admin-Reboot',
    'Port-Error',
    'NAS-Error',
    'NAS-Request',
    'NAS-Reboot',
    'Port-Preempted',
    'Port-Suspended',
    'Service-Unavailable',
  ],
  credentials: ['User-Error'],
  superseded: ['Superseded'],
  silence: ['Silence'],
} as const;
export type Ending = keyof typeof endings | 'other';

const endingOfCause = new Map<string, Ending>(
  Object.entries(endings).flatMap(([ending, causes]) => causes.map((cause) => [cause, ending as Ending])),
);

export const endingOf = (cause: string | null): Ending => endingOfCause.get(cause ?? '') ?? 'other';

/** Endings that need no attention. */
const expectedEndings: readonly Ending[] = ['device', 'idle', 'limit', 'console', 'superseded'];

export const diagnoseSession = ({ now, session, connection, networkOverdue }: DiagnoseFacts): Finding => {
  if (!session) return { finding: 'session-none', facts: {} };
  const { startedAt, updatedAt, stoppedAt, cause, bytes } = session;
  const facts = {
    started_at: startedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    total_bytes: bytes,
  };
  if (!stoppedAt) {
    if (networkOverdue === 'disconnect') return { finding: 'session-not-ended', facts };
    if (networkOverdue === 'rate') return { finding: 'session-rate-unchanged', facts };
    return { finding: connection === 'online' ? 'session-open' : 'session-quiet', facts };
  }
  const ended = { ...facts, stopped_at: stoppedAt.toISOString(), cause };
  if (now.getTime() - stoppedAt.getTime() > dayMs) return { finding: 'session-old', facts: ended };
  const isExpected = expectedEndings.includes(endingOf(cause));
  return { finding: isExpected ? 'session-ended' : 'session-broken', facts: ended };
};

export const diagnoseCoverage = ({ bundle, network, lifecycle }: DiagnoseFacts): Finding => {
  if (!bundle || isFinal(lifecycle)) return { finding: 'coverage-no-bundle', facts: {} };
  const { coverageCountries, outOfCoveragePolicy } = bundle;
  const country = network?.country ?? null;
  if (coverageCountries.length === 0) return { finding: 'coverage-everywhere', facts: { country } };
  if (country === null) return { finding: 'coverage-unknown', facts: {} };
  if (coverageCountries.includes(country)) return { finding: 'coverage-inside', facts: { country } };
  if (isOutsideCoverage(bundle, country)) return { finding: 'coverage-refused', facts: { country } };
  const outside: FindingName = outOfCoveragePolicy === 'billing' ? 'coverage-billed' : 'coverage-ignored';
  return { finding: outside, facts: { country } };
};

/** Each reason's count is a separate fact, `times_<reason>`. */
export const diagnoseRejects = ({ access, lastSeenAt, rejects }: DiagnoseFacts): Finding => {
  const newest = rejects.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime())[0];
  if (!newest) return { finding: 'rejects-none', facts: {} };
  const isLasting = !access.accept && (lastSeenAt === null || newest.lastAt > lastSeenAt);
  return {
    finding: isLasting ? 'rejects-lasting' : 'rejects-over',
    facts: {
      times: rejects.reduce((sum, { times }) => sum + times, 0),
      last_at: newest.lastAt.toISOString(),
      reason: newest.reason,
      ...Object.fromEntries(rejects.map(({ reason, times }) => [`times_${reason}`, times])),
    },
  };
};
