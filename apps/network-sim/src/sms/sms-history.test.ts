import { expect, it } from 'vitest';
import { demoDevices } from '../demo-devices.ts';
import { dayMs } from '../time.ts';
import { type PastSms, smsHistory } from './sms-history.ts';

const untilMs = Date.parse('2026-11-23T12:00:00Z');
const devices = demoDevices(400, 7);
const window = { fromMs: untilMs - 100 * dayMs, untilMs: untilMs - 10 * dayMs };
const generate = () => [
  ...smsHistory({
    devices,
    seed: 7,
    untilMs,
    days: 183,
    activeWindow: ({ index }) => (index % 4 === 0 ? undefined : window),
  }),
];

it('is reproducible, and within the active time of each device', () => {
  const messages = generate();
  expect(generate()).toEqual(messages);
  const times = messages.flatMap((message) =>
    'settledMs' in message ? [message.atMs, message.settledMs] : [message.atMs],
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(window.fromMs);
  expect(Math.max(...times)).toBeLessThan(window.untilMs);
  expect(messages.some(({ device }) => device.index % 4 === 0)).toBe(false);
});

it('has deliveries, failures and messages from devices', () => {
  const messages = generate();
  const of = (holds: (message: PastSms<(typeof devices)[number]>) => boolean) =>
    messages.filter(holds).length;
  const sent = of(({ isFromDevice }) => !isFromDevice);
  const share = (verdict: string) =>
    of((message) => !message.isFromDevice && message.verdict === verdict) / sent;
  expect(sent).toBeGreaterThan(200);
  expect(share('DELIVRD')).toBeGreaterThan(0.85);
  for (const verdict of ['EXPIRED', 'UNDELIV', 'REJECTD']) expect(share(verdict)).toBeGreaterThan(0);
  expect(of(({ isFromDevice, text }) => isFromDevice && text.startsWith('ALARM'))).toBeGreaterThan(20);
  expect(of(({ isFromDevice, text }) => isFromDevice && text.startsWith('POS '))).toBeGreaterThan(20);
});
