import { chipGrades, connections, lifecycles, radioTypes, technologies } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';

/** Random SIMs of every sort, and the values that they are made of, for testing the list's filter. */

export const now = new Date('2026-11-21T12:00:00Z');
export const day = (offset: number): string => new Date(now.getTime() + offset * dayMs).toISOString();

const words = [
  'Pump',
  'meter 7',
  'TRUCK_1',
  '100% full',
  'Käse',
  'Kiosk-Madrid',
  'a',
  'Left at\nmast 7',
] as const;
const apns = ['iot.acme', 'IOT.secure', 'm2m'] as const;
const notes = ['DN-100', 'DN-200', 'dn-301'] as const;
export const ips = ['10.0.0.1', '10.0.0.2', '2001:db8::1'] as const;
export const bundleCodes = ['EU5', 'US1'] as const;
export const tags = ['fleet', 'eu', 'meter', '电表 2'] as const;
export const networks = [
  { plmn: 262001, code: '262-01', country: 'DE' },
  { plmn: 262002, code: '262-02', country: 'DE' },
  { plmn: 310260, code: '310-260', country: 'US' },
  { plmn: 999077, code: '999-77', country: null },
] as const;

/** One with many SIMs, one with few, and one with only another organisation's SIMs. */
export const tasks = ['T00000001', 'T00000002'];
export const foreignTask = 'T00000003';

export const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 });
/** Null, small amounts, and amounts around one of the steps by which amounts are looked up. */
export const amounts = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 3000 }),
  fc
    .tuple(fc.integer({ min: 0, max: 18 }), fc.integer({ min: -1, max: 1 }))
    .map(([octave, beside]) => 2 ** octave + beside),
  fc
    .tuple(fc.integer({ min: 18, max: 22 }), fc.integer({ min: 8, max: 15 }), fc.integer({ min: -1, max: 1 }))
    .map(([octave, eighths, beside]) => 2 ** octave * (eighths / 8) + beside),
);
/** In a currency's main unit. */
export const costs = some([0, 0.01, 2.5, 4.99, 17.29]);
export const instants = fc.integer({ min: -60, max: 60 }).map(day);

export const simArbitrary = fc.record({
  msisdn: maybe(fc.constant(true)),
  last_imei: maybe(some(['490154203237518', '356938035643809'])),
  imei_changed_at: maybe(fc.integer({ min: -40, max: 0 }).map(day)),
  device_name: maybe(some(words)),
  notes: maybe(some(words)),
  tags: fc.subarray([...tags]),
  delivery_note_number: maybe(some(notes)),
  shipment_on: maybe(instants.map((at) => at.slice(0, 10))),
  chip_grade: maybe(some(chipGrades)),
  technology: maybe(some(technologies)),
  lifecycle: some(lifecycles),
  activated_at: maybe(instants),
  expires_at: maybe(instants),
  apn: maybe(some(apns)),
  fixed_ip: maybe(some(ips)),
  bundle: maybe(some(bundleCodes)),
  connection: some(connections),
  ip: maybe(some(ips)),
  plmn: maybe(some(networks).map(({ plmn }) => plmn)),
  radio: maybe(fc.integer({ min: 0, max: radioTypes.length })),
  last_session_at: maybe(instants),
  used: amounts,
  limit: maybe(some([0, 1000, 2000])),
  over: fc.boolean(),
  sms_suspended: fc.boolean(),
  cost: maybe(costs),
  data_state: fc.integer({ min: 0, max: 2 }),
  rate_kbps: maybe(some([128, 256])),
  cycle_ends_at: maybe(instants),
  pool_stopped_until: maybe(instants),
  held_until: maybe(instants),
  held_kbps: maybe(some([128, 256])),
});
export type Facts = (typeof simArbitrary extends fc.Arbitrary<infer T> ? T : never) & {
  iccid: string;
  imsi: string;
  number: string | null;
  /** References of the tasks that it is in. */
  tasks: string[];
};

/** Whether a SIM's data is stopped or slowed now, by what stops it or slows it and is not over. */
export const dataStateNow = (sim: Facts): 'open' | 'slowed' | 'stopped' | undefined => {
  if (sim.lifecycle !== 'active' && sim.lifecycle !== 'pre-activated') return undefined;
  const isNow = (until: string | null): boolean => until !== null && Date.parse(until) > now.getTime();
  const hasCycle = sim.cycle_ends_at === null || isNow(sim.cycle_ends_at);
  const isHeld = isNow(sim.held_until);
  const isStoppedByHold = isHeld && sim.held_kbps === null;
  if ((hasCycle && sim.data_state === 2) || isNow(sim.pool_stopped_until) || isStoppedByHold)
    return 'stopped';
  return (hasCycle && sim.data_state === 1 && sim.rate_kbps !== null) || isHeld ? 'slowed' : 'open';
};
