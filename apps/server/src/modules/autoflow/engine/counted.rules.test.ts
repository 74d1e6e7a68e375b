import type { TriggerOf } from '@simcube/contract/autoflow';
import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costMeasure, minorOf } from './cost.rules.ts';
import { type CountedTrigger, countedMeasure, countedSpan, findReachedCounts } from './counted.rules.ts';
import { waitsForCountry } from './facts.rules.ts';

const start = Date.parse('2028-02-28T22:00:00Z');
const none = () => null;

describe('what is counted in a period', () => {
  it('reaches the count of a rule once, with the event that completes it', () => {
    const trigger: CountedTrigger = { kind: 'sms-mo', period: 'day', count: 3 };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 72 * 60 }), { maxLength: 60 }), (minutes) => {
        const times = minutes.map((minute) => start + minute * 60_000).sort((a, b) => a - b);
        const reached = findReachedCounts(trigger, times, none);
        const days = new Map<string, number[]>();
        for (const at of times) {
          const day = new Date(at).toISOString().slice(0, 10);
          days.set(day, [...(days.get(day) ?? []), at]);
        }
        const expected = [...days].flatMap(([name, own]) =>
          own[2] === undefined ? [] : [{ name, at: own[2] }],
        );
        expect(reached.map(({ span, at }) => ({ name: span.name, at }))).toEqual(expected);
      }),
    );
  });

  it('belongs to the UTC hour, day, month or cycle that contains an instant', () => {
    const at = Date.parse('2028-02-29T23:59:59.999Z');
    const cycle = { startsAt: at - 5 * hourMs, endsAt: at + 1 };
    const named = (trigger: CountedTrigger, of: number = at) => countedSpan(trigger, of, cycle)?.name;
    expect(named({ kind: 'sessions', per_hour: 2 })).toBe('hour 2028-02-29T23:00:00.000Z');
    expect(named({ kind: 'sms-mt', period: 'day', count: 2 })).toBe('2028-02-29');
    expect(named({ kind: 'sms-mt', period: 'month', count: 2 })).toBe('2028-02');
    expect(named({ kind: 'sms-mt', period: 'cycle', count: 2 })).toBe('cycle 2028-02-29T18:59:59.999Z');
    const inCycle = { kind: 'sms-mt', period: 'cycle', count: 2 } as const;
    expect([named(inCycle, at + 1), named(inCycle, cycle.startsAt - 1)]).toEqual([undefined, undefined]);
    expect(named(inCycle, cycle.startsAt)).toBe(named(inCycle));
    expect(countedSpan(inCycle, at, null)).toBeUndefined();
    expect(countedSpan({ kind: 'sessions', per_hour: 2 }, at, null)).toMatchObject({
      startsAt: at + 1 - hourMs,
      endsAt: at + 1,
    });
  });

  it('is sessions or messages, and those without a cycle are not counted', () => {
    const span = { startsAt: start, endsAt: start + hourMs };
    const since = '2028-02-28T22:00:00.000Z';
    const sessions = { kind: 'sessions', per_hour: 2 } as const;
    expect(countedMeasure(sessions, span)).toEqual({ value: 2, threshold: 2, unit: 'sessions', since });
    const messages = { kind: 'sms-mt', period: 'cycle', count: 3 } as const;
    expect(countedMeasure(messages, span)).toEqual({ value: 3, threshold: 3, unit: 'SMS', since });
    expect(findReachedCounts(messages, [start, start, start], none)).toEqual([]);
    expect(findReachedCounts(messages, [start, start, start], () => span)).toMatchObject([{ at: start }]);
  });
});

describe('a country', () => {
  it('is only entered from another country', () => {
    const entered: TriggerOf<'country'> = { kind: 'country', change: 'entered', countries: ['FR', 'ES'] };
    const left: TriggerOf<'country'> = { kind: 'country', change: 'left', countries: ['FR'] };
    expect(waitsForCountry(entered, { from: 'DE', to: 'FR' })).toBe(true);
    expect(waitsForCountry(entered, { from: 'FR', to: 'FR' })).toBe(false);
    expect(waitsForCountry(entered, { from: 'FR', to: 'DE' })).toBe(false);
    expect(waitsForCountry(left, { from: 'FR', to: 'DE' })).toBe(true);
    expect(waitsForCountry(left, { from: 'DE', to: 'FR' })).toBe(false);
  });
});

describe('a cost', () => {
  const trigger = { kind: 'cost', currency: 'EUR', amount_minor: 250 } as const;
  const since = '2028-02-01T00:00:00.000Z';
  const rise = (formerMicros: number, micros: number, currency = 'EUR') =>
    costMeasure(trigger, { currency, formerMicros, micros }, since);

  it('is reached by the rise that crosses it, in the currency of the rule', () => {
    expect(rise(2_490_000, 2_500_000)).toEqual({ value: 250, threshold: 250, unit: 'EUR', since });
    expect(rise(2_490_000, 2_499_999)).toBeUndefined();
    expect(rise(2_500_000, 9_000_000)).toBeUndefined();
    expect(rise(0, 9_000_000, 'USD')).toBeUndefined();
  });

  it('is of whole minor units: of cents, of yen, of fils', () => {
    expect(minorOf('EUR', 2_509_999)).toBe(250);
    expect(minorOf('JPY', 2_999_999)).toBe(2);
    expect(minorOf('KWD', 2_500_999)).toBe(2500);
  });
});
