import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayTotals, FirstSeenCounts } from './firsts.rules.ts';
import { packSet } from './number-sets.rules.ts';

const hour = fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 12 });
const day = fc.array(hour, { minLength: 1, maxLength: 4 });
const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
const packed = (numbers: Iterable<number>) => packSet(sorted(numbers));

describe('members that are seen for the first time', () => {
  it('add up to the distinct members of any consecutive days, up to any hour of the last one', () => {
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(), (days, start, last) => {
        const end = days.length - 1;
        const from = Math.max(end - 30, start % days.length);
        const counting = new FirstSeenCounts();
        const firsts = days.map((hours, index) => {
          if (index >= from || index % 2 === 0) return counting.count(index + 1, hours.map(packed));
          // Some earlier days are known but not counted.
          counting.markSeen(index + 1, packed(hours.flat()));
          return [];
        });
        const until = last % ((days[end]?.length ?? 0) + 1);
        const whole = firsts.slice(from, end).map(dayTotals);
        const ended = dayTotals(firsts[end]?.slice(0, until) ?? []);
        const counted = [...whole, ended].reduce((sum, numbers, index) => sum + (numbers[index] ?? 0), 0);
        const members = [...days.slice(from, end).flat(2), ...(days[end]?.slice(0, until).flat() ?? [])];
        expect(counted).toBe(new Set(members).size);
      }),
    );
  });
});
