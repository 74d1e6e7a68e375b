import { cdrRadioTypes } from '@simcube/contract/cdr';
import { dayMs, hourMs } from '@simcube/contract/time';
import fc from 'fast-check';

// After the leap day, and after the end of a month.
export const now = new Date('2028-03-04T10:20:00Z');

/** A record, of one of three SIMs. */
export interface CdrFacts {
  sim: number;
  endedAt: number;
  up: number;
  mnc: number;
  radio: number;
  session: number;
  apn: number;
}

export const plmns = [262002, 208001];
export const operators = ['262-02', '208-01'];
export const apns = ['', 'iot', 'fleet'];

export const cdrArbitrary: fc.Arbitrary<CdrFacts> = fc.record({
  sim: fc.nat({ max: 2 }),
  // Minutes before now: some hours and days begin and end within, over the leap day and the month's end.
  endedAt: fc
    .oneof(fc.nat({ max: 200 }), fc.nat({ max: 10 * 24 * 6 }), fc.nat({ max: 20 * 24 * 6 }))
    .map((tens) => now.getTime() - (now.getTime() % (10 * 60_000)) - tens * 600_000),
  up: fc.nat({ max: 1000 }),
  mnc: fc.nat({ max: 1 }),
  radio: fc.integer({ min: 3, max: 4 }),
  session: fc.nat({ max: 3 }),
  apn: fc.nat({ max: 2 }),
});

/** The questions for sums and lists. */
export const cdrQueryArbitrary = fc.record({
  from: fc.oneof(
    fc.nat({ max: 20 * 24 * 2 }).map((halves) => new Date(now.getTime() - (halves * hourMs) / 2)),
    fc.nat({ max: 20 }).map((days) => new Date(now.getTime() - (now.getTime() % dayMs) - days * dayMs)),
  ),
  to: fc.nat({ max: 5 * 24 * 2 }).map((halves) => new Date(now.getTime() + hourMs - (halves * hourMs) / 2)),
  country: fc.constantFrom(undefined, ['DE'], ['FR', 'DE']),
  radio: fc.constantFrom(undefined, [cdrRadioTypes[2]]),
  apn: fc.constantFrom(undefined, ['iot']),
  operator: fc.constantFrom(undefined, undefined, ['208-01'], ['262-02', '310-410']),
  source: fc.constantFrom(undefined, undefined, ['file'], ['radius']),
  /** These SIMs, each by a different identifier; the last one belongs to another organisation. */
  of: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: undefined, freq: 3 }),
  /** The session of one of the records. */
  session: fc.option(fc.nat(), { nil: undefined, freq: 5 }),
});

const queryFrom = (from: string) => ({
  from: new Date(from),
  to: new Date('2028-03-04T11:20:00Z'),
  country: ['FR', 'DE'] as ['FR', 'DE'],
  radio: undefined,
  apn: undefined,
  operator: undefined,
  source: undefined,
  of: undefined,
  session: undefined,
});
/** A country with usage in the previous period, but none in the requested one. */
export const previousPeriodOnly: [CdrFacts[], CdrFacts[], ReturnType<typeof queryFrom>[]] = [
  [{ sim: 0, endedAt: Date.parse('2028-03-03T15:50:00Z'), up: 0, mnc: 0, radio: 3, session: 0, apn: 0 }],
  [],
  [queryFrom('2028-03-04T01:50:00Z'), queryFrom('2028-03-04T00:00:00Z')],
];
