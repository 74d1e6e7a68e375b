import { overagePolicies } from '@simcube/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countVolume, dataState, judgeUsage } from './usage.rules.ts';

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

describe('judging usage', () => {
  const limit = 1000;
  it('leaves everything open below the limit, and wakes at the limit next', () => {
    for (const policy of overagePolicies) {
      expect(judgeUsage({ used: 999, limit, policy, slowKbps: null })).toEqual({
        overLimit: false,
        dataState: dataState.open,
        rateKbps: null,
        threshold: limit,
      });
    }
  });

  it('stops, slows or goes on by the policy once the quota is used up', () => {
    const at = (policy: (typeof overagePolicies)[number], slowKbps: number | null) =>
      judgeUsage({ used: 1000, limit, policy, slowKbps });
    expect(at('stop', null)).toMatchObject({
      overLimit: true,
      dataState: dataState.stopped,
      threshold: null,
    });
    expect(at('billing and slow down', 256)).toMatchObject({ dataState: dataState.slowed, rateKbps: 256 });
    expect(at('billing and slow down', null)).toMatchObject({ dataState: dataState.slowed, rateKbps: 128 });
    expect(at('billing', null)).toMatchObject({ overLimit: true, dataState: dataState.open });
    expect(at('billing and threshold', null)).toMatchObject({ dataState: dataState.open });
  });

  it('is never over a limit that does not exist', () => {
    expect(judgeUsage({ used: 2 ** 50, limit: null, policy: 'stop', slowKbps: null })).toEqual({
      overLimit: false,
      dataState: dataState.open,
      rateKbps: null,
      threshold: null,
    });
  });
});
