import type { SimDevice } from '../demo-devices.ts';
import { Random, seedOf } from '../random.ts';
import { dayMs } from '../time.ts';
import { alarmOf, commandsOf, handlingOf, type Verdict } from './sms-device.ts';

export interface SmsHistoryOptions<D extends SimDevice> {
  devices: readonly D[];
  seed: number;
  untilMs: number;
  days: number;
  /** Period in which a device is reachable; undefined: never. */
  activeWindow: (device: D) => { fromMs: number; untilMs: number } | undefined;
}

/** A past message: to a device, with its outcome, or from a device. */
export type PastSms<D extends SimDevice> = { device: D; atMs: number; text: string } & (
  | { isFromDevice: false; verdict: Verdict; error: string; settledMs: number }
  | { isFromDevice: true }
);

/** Messages per device in a month of 30 days: people write to some devices, and few devices send unprompted. */
const SENT_A_MONTH = 0.35;
const ALARMS_A_MONTH = 0.08;

/**
 * Messages between people and their devices, by device and in order of time. Devices handle them as in the live network. No
 * message is still in transit at the end.
 */
export function* smsHistory<D extends SimDevice>(
  options: SmsHistoryOptions<D>,
): Generator<PastSms<D>, void, undefined> {
  const { devices, seed, untilMs, days } = options;
  const firstMs = untilMs - days * dayMs;
  for (const device of devices) {
    const window = options.activeWindow(device);
    if (!window) continue;
    const fromMs = Math.max(firstMs, window.fromMs);
    const endMs = Math.min(untilMs, window.untilMs);
    const random = new Random(seed, seedOf(device.imsi), 2);
    yield* sentMessages(device, { random, seed, fromMs, endMs });
    for (const atMs of timesOf(random, { perMonth: ALARMS_A_MONTH, fromMs, endMs }))
      yield { device, isFromDevice: true, atMs, text: alarmOf(device) };
  }
}

interface Span {
  fromMs: number;
  endMs: number;
}

function* sentMessages<D extends SimDevice>(
  device: D,
  { random, seed, fromMs, endMs }: Span & { random: Random; seed: number },
): Generator<PastSms<D>, void, undefined> {
  let nth = 0;
  for (const atMs of timesOf(random, { perMonth: SENT_A_MONTH, fromMs, endMs })) {
    const text = random.pick(commandsOf[device.kind]);
    const { verdict, error, afterMs, reply } = handlingOf(device, { text, nth, seed });
    nth += 1;
    const settledMs = atMs + afterMs;
    if (settledMs >= endMs) return;
    yield { device, isFromDevice: false, atMs, text, verdict, error, settledMs };
    if (reply && settledMs + reply.afterMs < endMs)
      yield { device, isFromDevice: true, atMs: settledMs + reply.afterMs, text: reply.text };
  }
}

function* timesOf(
  random: Random,
  { perMonth, fromMs, endMs }: Span & { perMonth: number },
): Generator<number> {
  const meanMs = (30 * dayMs) / perMonth;
  for (let at = fromMs + random.exponential(meanMs); at < endMs; at += random.exponential(meanMs))
    yield Math.floor(at);
}
