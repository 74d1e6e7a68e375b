import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countVolume } from './usage.rules.ts';

const octets = fc.integer({ min: 0, max: 2 ** 50 });
const volume = fc.record({ up: octets, down: octets });

describe('counters of volume', () => {
  it('are combined with gigawords', () => {
    const counted = countVolume({ up: 4_294_967_000, down: 0 }, { up: 4_294_968_000, down: 5 });
    expect(counted).toEqual({
      total: { up: 4_294_968_000, down: 5 },
      added: { up: 1000, down: 5 },
      regressed: false,
    });
  });

  it('are ignored and reported when lower, per direction', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 4, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('are ignored and reported when implausibly high', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 2 ** 52, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('are unchanged when absent', () => {
    expect(countVolume({ up: 7, down: 8 }, {})).toEqual({
      total: { up: 7, down: 8 },
      added: { up: 0, down: 0 },
      regressed: false,
    });
  });

  it('count the highest report once, in any order and with repetitions', () => {
    fc.assert(
      fc.property(fc.array(volume, { minLength: 1, maxLength: 20 }), (reports) => {
        let accepted = { up: 0, down: 0 };
        const sum = { up: 0, down: 0 };
        for (const report of [...reports, ...reports]) {
          const counted = countVolume(accepted, report);
          accepted = counted.total;
          sum.up += counted.added.up;
          sum.down += counted.added.down;
        }
        expect(sum).toEqual({
          up: Math.max(...reports.map((report) => report.up)),
          down: Math.max(...reports.map((report) => report.down)),
        });
      }),
    );
  });
});
