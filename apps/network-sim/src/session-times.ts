import { attribute, type RadiusPacket, readAttribute, terminateCause } from '@simcube/radius';
import type { Scenario } from './scenario.ts';
import type { DeviceRun } from './session.ts';
import { hourMs } from './time.ts';

/** Used if the server sets no interval (RFC 2869 §2.1 leaves it to the gateway). */
const DEFAULT_INTERIM_SECONDS = 600;

type RandomDevice = Pick<DeviceRun, 'usage' | 'random'>;

/** When and why a session that begins now will end by itself, in wall time. */
export function endOf(
  { usage, random }: RandomDevice,
  accept: RadiusPacket,
  { now, speed }: { now: number; speed: number },
): { endsMs: number; endCause: number } {
  const timeout = readAttribute(accept, attribute.sessionTimeout);
  const durationMs = (usage.kind.sessionHours * random.factor(0.4) * hourMs) / speed;
  if (timeout !== undefined && timeout * 1_000 < durationMs) {
    return { endsMs: now + timeout * 1_000, endCause: terminateCause.sessionTimeout };
  }
  const cause = random.chance(0.7)
    ? terminateCause.userRequest
    : random.chance(0.7)
      ? terminateCause.idleTimeout
      : terminateCause.lostCarrier;
  return { endsMs: now + durationMs, endCause: cause };
}

/** Wall time between updates: the scenario's, otherwise the server's interval in device time. */
export function interimMs(
  { random }: RandomDevice,
  accept: RadiusPacket,
  { wanted, speed }: { wanted: Scenario['interimSeconds']; speed: number },
): number {
  if (wanted !== undefined) return 1_000 * random.between(wanted.least, wanted.most);
  const seconds = readAttribute(accept, attribute.acctInterimInterval) ?? DEFAULT_INTERIM_SECONDS;
  return Math.max(1_000, (seconds * 1_000) / speed);
}

/** Wall time to the next session. */
export function idleMs({ usage, random }: RandomDevice, speed: number): number {
  const { sessionsPerDay, sessionHours } = usage.kind;
  const gapHours = Math.max(0.2, 24 / sessionsPerDay - sessionHours);
  return (random.exponential(gapHours) * hourMs) / speed;
}
