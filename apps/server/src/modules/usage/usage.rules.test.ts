import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countVolume } from './usage.rules.ts';

const octets = fc.integer({ min: 0, max: 2 ** 50 });
const volume = fc.record({ up: octets, down: octets });

describe('counting volume', () => {
  it('counts the difference through the gigawords', () => {
    const counted = countVolume({ up: 4_294_967_000, down: 0 }, { up: 4_294_968_000, down: 5 });
    expect(counted).toEqual({
      total: { up: 4_294_968_000, down: 5 },
      added: { up: 1000, down: 5 },
      regressed: false,
    });
  });

  it('ignores and tells a lower figure, for its direction alone', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 4, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('ignores and tells a figure that no session can have reached', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 2 ** 52, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('takes an absent figure as no news', () => {
    expect(countVolume({ up: 7, down: 8 }, {})).toEqual({
      total: { up: 7, down: 8 },
      added: { up: 0, down: 0 },
      regressed: false,
    });
  });

  it('counts the highest report once, whatever the order and however often reports are repeated', () => {
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
