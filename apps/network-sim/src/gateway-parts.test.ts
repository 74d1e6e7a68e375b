import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';
import { mobilityOf } from './mobility.ts';
import { PacketBudget } from './packet-budget.ts';
import { parseRateLimit } from './rates.ts';
import { hourMs } from './time.ts';

describe('the event queue', () => {
  it('returns due events in order of time, and none early', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 200 }), fc.nat(1_000), (times, now) => {
        const queue = new EventQueue<number>();
        for (const time of times) queue.push(time, time);
        const taken: number[] = [];
        for (let next = queue.popDue(now); next !== undefined; next = queue.popDue(now)) taken.push(next);
        expect(taken).toEqual(times.filter((time) => time <= now).toSorted((left, right) => left - right));
        expect(queue.size).toBe(times.length - taken.length);
      }),
    );
  });
});

describe('the packet budget', () => {
  it('never exceeds its rate, at any step size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 50, maxLength: 300 }),
        (perSecond, steps) => {
          let now = 0;
          const budget = new PacketBudget(perSecond, () => now);
          let sent = 0;
          for (const step of steps) {
            now += step;
            for (; budget.available; sent += 1) budget.take();
          }
          expect(sent).toBeLessThanOrEqual((now / 1_000 + 0.2) * perSecond + 1);
        },
      ),
    );
  });
});

describe('rate limits', () => {
  it.each([
    ['128k/1M', { up: 128_000, down: 1_000_000 }],
    ['64000', { up: 64_000, down: 64_000 }],
    ['2M/0 4M/4M', { up: 2_000_000, down: undefined }],
    ['fast', undefined],
    ['1k/', undefined],
  ])('are parsed: %s', (text, rates) => {
    expect(parseRateLimit(text)).toEqual(rates);
  });
});

describe('mobility', () => {
  const at = Date.parse('2025-06-04T12:00:00Z');
  const truck = { imsi: '214070000000001', kind: 'truck', homePlmn: '21407' } as const;

  it('is a pure function of device and time, with an operator of the city’s country', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 0, max: 400 }), (serial, hours) => {
        const device = { ...truck, imsi: `21407${String(serial).padStart(10, '0')}` };
        const time = at + hours * hourMs;
        const place = mobilityOf(device).at(time);
        expect(mobilityOf(device).at(time)).toEqual(place);
        expect(place.operator.country).toBe(place.city.country);
        expect(place.cell?.operator).toBe(place.operator);
        expect(place.operator.radios.has(place.radio)).toBe(true);
      }),
    );
  });

  it('works with an unknown home network', () => {
    expect(mobilityOf({ ...truck, homePlmn: '99999' }).at(at).cell).toBeDefined();
  });
});
