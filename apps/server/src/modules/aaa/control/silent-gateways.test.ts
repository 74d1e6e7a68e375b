import { describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { SilentGateways } from './silent-gateways.ts';

const patient = { maxDurationMs: 12_000 };
const brief = expect.objectContaining({ maxRetransmissions: 0, maxDurationMs: 250 });

describe('a gateway that no longer replies', () => {
  const stopped = (times: number) => {
    const clock = new FixedClock('2026-11-21T12:00:00Z');
    const gateways = new SilentGateways(clock, patient);
    for (let time = 0; time < times; time += 1) gateways.timedOut(7);
    return { clock, gateways };
  };

  it('gets the full timeout three times, then a short one, while others keep the full one', () => {
    expect(stopped(2).gateways.timingFor(7)).toBe(patient);
    const { gateways } = stopped(3);
    expect(gateways.timingFor(7)).toEqual(brief);
    expect(gateways.timingFor(8)).toBe(patient);
  });

  it('gets the full timeout once a minute', () => {
    const { clock, gateways } = stopped(3);
    clock.advance(59_999);
    expect(gateways.timingFor(7)).toEqual(brief);
    clock.advance(1);
    expect(gateways.timingFor(7)).toBe(patient);
    expect(gateways.timingFor(7)).toEqual(brief);
  });

  it('gets the full timeout once a minute after the clock was set back', () => {
    const { clock, gateways } = stopped(3);
    clock.set('2026-11-20T12:00:00Z');
    expect(gateways.timingFor(7)).toBe(patient);
    expect(gateways.timingFor(7)).toEqual(brief);
    clock.advance(60_000);
    expect(gateways.timingFor(7)).toBe(patient);
  });

  it('gets the full timeout again after its first reply', () => {
    const { gateways } = stopped(9);
    gateways.replied(7);
    expect(gateways.timingFor(7)).toBe(patient);
  });
});
