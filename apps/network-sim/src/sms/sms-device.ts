import type { SimDevice } from '../demo-devices.ts';
import type { DeviceKindName } from '../device-kinds.ts';
import { mobilityOf } from '../mobility.ts';
import { Random, seedOf } from '../random.ts';
import { minuteMs, secondMs } from '../time.ts';

/** Final states of a message (SMPP 3.4, Appendix B). */
export type Verdict = 'DELIVRD' | 'EXPIRED' | 'UNDELIV' | 'REJECTD';

/** Outcome of a message to a device. */
export interface Handling {
  verdict: Verdict;
  /** The network's error code; `000` without one. */
  error: string;
  /** Time from the submit to the receipt. */
  afterMs: number;
  /** The device's reply, and its delay after receiving the message. */
  reply: { text: string; afterMs: number } | undefined;
}

/** Outcomes with their shares of all messages. Unavailable devices receive messages late; after too long, never. */
const outcomes: readonly (readonly [share: number, handle: (random: Random) => Omit<Handling, 'reply'>])[] = [
  [0.015, (random) => ({ verdict: 'REJECTD', error: '021', afterMs: random.between(1, 4) * secondMs })],
  [0.02, (random) => ({ verdict: 'UNDELIV', error: '001', afterMs: random.between(1, 6) * secondMs })],
  [0.025, (random) => ({ verdict: 'EXPIRED', error: '027', afterMs: random.between(4, 6) * minuteMs })],
  [0.12, (random) => delivered(random.between(20, 180) * secondMs)],
  [1, (random) => delivered(random.between(0.4, 4) * secondMs)],
];

const delivered = (afterMs: number): Omit<Handling, 'reply'> => ({
  verdict: 'DELIVRD',
  error: '000',
  afterMs,
});

/** What a device does with the `nth` message to it; deterministic. */
export function handlingOf(
  device: SimDevice,
  { text, nth, seed }: { text: string; nth: number; seed: number },
): Handling {
  const random = new Random(seed, seedOf(device.imsi), nth, 1);
  const chance = random.next();
  let below = 0;
  for (const [share, handle] of outcomes) {
    below += share;
    if (chance >= below) continue;
    const handling = handle(random);
    return { ...handling, reply: handling.verdict === 'DELIVRD' ? replyTo(device, text, random) : undefined };
  }
  throw new RangeError('The last outcome must apply to all remaining messages');
}

/** One in thirty does not reply; one in eight replies slowly. */
function replyTo(device: SimDevice, text: string, random: Random): Handling['reply'] {
  if (random.chance(1 / 30)) return undefined;
  const isSlow = random.chance(1 / 8);
  const afterMs = (isSlow ? random.between(30, 150) : random.between(1, 6)) * secondMs;
  const [word = '', value] = text.trim().toUpperCase().split(/\s+/);
  const reply = replies[word];
  return { text: reply ? reply(device, random, value) : 'ERR unknown command', afterMs };
}

const replies: Readonly<
  Record<string, (device: SimDevice, random: Random, value: string | undefined) => string>
> = {
  STATUS: ({ kind }, random) =>
    `OK ${kind} bat ${60 + random.integer(40)}% csq ${10 + random.integer(21)} up ${random.integer(90)}d`,
  WHERE: (device) => {
    const { latitude, longitude } = mobilityOf(device).base.city;
    return `POS ${latitude.toFixed(4)},${longitude.toFixed(4)} fix 3D`;
  },
  READ: (_, random) => `READ ${(1_000 + random.integer(900_000)) / 10} kWh`,
  INTERVAL: (_, __, value) => (/^\d{1,4}$/.test(value ?? '') ? `OK interval ${value} min` : 'ERR interval'),
  REBOOT: () => 'OK rebooting',
  LOCK: () => 'OK locked',
};

/** Commands that people send to devices of a kind. */
export const commandsOf: Readonly<Record<DeviceKindName, readonly [string, ...string[]]>> = {
  meter: ['STATUS', 'READ', 'READ', 'INTERVAL 15', 'INTERVAL 60'],
  tracker: ['WHERE', 'WHERE', 'STATUS', 'INTERVAL 30', 'REBOOT'],
  truck: ['WHERE', 'STATUS', 'REBOOT'],
  camera: ['STATUS', 'REBOOT'],
  kiosk: ['STATUS', 'REBOOT', 'LOCK'],
  scooter: ['WHERE', 'LOCK', 'STATUS'],
};

const alarms: Readonly<Record<DeviceKindName, string>> = {
  meter: 'ALARM cover opened',
  tracker: 'ALARM battery 9%',
  truck: 'ALARM main power lost',
  camera: 'ALARM lens covered',
  kiosk: 'ALARM paper low',
  scooter: 'ALARM moved while locked',
};

/** The issuer whose devices write Chinese. */
const TAIWAN_PLMN = '46692';

/** Text of an unprompted message from a device. */
export const alarmOf = ({ kind, homePlmn }: SimDevice): string =>
  homePlmn === TAIWAN_PLMN ? `警報：${alarms[kind].slice('ALARM '.length)}` : alarms[kind];
