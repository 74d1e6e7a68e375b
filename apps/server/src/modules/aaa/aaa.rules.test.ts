import { describe, expect, it } from 'vitest';
import { type AccessSim, decideAccess, serviceRejectReason } from './aaa.rules.ts';

const at = new Date('2026-11-21T12:00:00Z');
const active: AccessSim = {
  lifecycle: 23,
  dataState: 0,
  rateKbps: null,
  cycleEndsAt: new Date('2026-11-30T16:00:00Z'),
  poolStoppedUntil: null,
  heldUntil: null,
  heldKbps: null,
  bundleType: 'prepaid basic',
  apn: null,
  fixedIp: null,
  outOfCoveragePolicy: null,
  coverageCountries: null,
};
const decide = (sim: Partial<AccessSim>, apn: string | undefined = 'iot.example') =>
  decideAccess({ ...active, ...sim }, { apn, at, country: null });

describe('network service', () => {
  const reason = (sim: Partial<AccessSim>, when: Date | number = at) =>
    serviceRejectReason({ ...active, ...sim }, when);

  it.each([
    [{}, null],
    [{ lifecycle: 10, bundleType: 'test plan' }, null],
    [{ lifecycle: 10 }, 'not-activated'],
    [{ lifecycle: 30 }, 'paused'],
    [{ lifecycle: 40 }, 'expired'],
    [{ lifecycle: 50 }, 'terminated'],
    [{ dataState: 1 }, null],
    [{ dataState: 2 }, 'quota-used'],
    [{ dataState: 2, cycleEndsAt: null }, 'quota-used'],
    [{ lifecycle: 30, dataState: 2 }, 'paused'],
  ])('of a SIM that is %j is refused for: %s', (sim, expected) => {
    expect(reason(sim)).toBe(expected);
  });

  it('is refused to a stopped SIM until its cycle ends, given as a date or in milliseconds', () => {
    const cycleEndsAt = new Date(at.getTime() + 1000);
    for (const end of [cycleEndsAt, cycleEndsAt.getTime()]) {
      expect(reason({ dataState: 2, cycleEndsAt: end })).toBe('quota-used');
      expect(reason({ dataState: 2, cycleEndsAt: end }, cycleEndsAt)).toBeNull();
      expect(reason({ dataState: 2, cycleEndsAt: end }, cycleEndsAt.getTime())).toBeNull();
    }
  });

  it('is refused, or slowed, as long as an operation holds it', () => {
    const heldUntil = new Date(at.getTime() + 1000);
    expect(reason({ heldUntil })).toBe('data-off');
    expect(reason({ heldUntil: heldUntil.getTime() }, heldUntil)).toBeNull();
    expect(decide({ heldUntil, heldKbps: 128 })).toMatchObject({ rateKbps: 128 });
    expect(decide({ heldUntil: at, heldKbps: 128 })).toMatchObject({ rateKbps: null });
    const slowed = { dataState: 1, rateKbps: 256 };
    expect(decide({ ...slowed, heldUntil, heldKbps: 128 })).toMatchObject({ rateKbps: 128 });
    expect(decide({ ...slowed, heldUntil, heldKbps: 512 })).toMatchObject({ rateKbps: 256 });
  });

  it('that is refused makes every Access-Request fail for the same reason', () => {
    for (const lifecycle of [10, 23, 30, 40, 50]) {
      for (const dataState of [0, 1, 2]) {
        const refused = reason({ lifecycle, dataState });
        const decision = decide({ lifecycle, dataState, apn: 'another' });
        expect(decision).toEqual({ accept: false, reason: refused ?? 'apn-not-allowed' });
      }
    }
  });
});

describe('network access', () => {
  it('is granted to an active SIM, with its fixed address if it has one', () => {
    expect(decide({})).toEqual({ accept: true, ip: null, rateKbps: null });
    expect(decide({ fixedIp: '10.1.2.3' })).toEqual({ accept: true, ip: '10.1.2.3', rateKbps: null });
  });

  it.each([
    [10, 'not-activated'],
    [30, 'paused'],
    [40, 'expired'],
    [50, 'terminated'],
  ])('is refused in lifecycle %i', (lifecycle, reason) => {
    expect(decide({ lifecycle })).toEqual({ accept: false, reason });
  });

  it('is granted before activation only on a test plan', () => {
    expect(decide({ lifecycle: 10, bundleType: 'test plan' })).toMatchObject({ accept: true });
    expect(decide({ lifecycle: 10, bundleType: null })).toMatchObject({ accept: false });
    expect(decide({ lifecycle: 30, bundleType: 'test plan' })).toMatchObject({ accept: false });
  });

  it('is not refused to a known SIM in service', () => {
    expect(decideAccess(undefined, { apn: undefined, at, country: null })).toEqual({
      accept: false,
      reason: 'unknown-sim',
    });
  });

  it('is stopped or slowed until the cycle ends, not longer', () => {
    expect(decide({ dataState: 2 })).toEqual({ accept: false, reason: 'quota-used' });
    expect(decide({ dataState: 1, rateKbps: 256 })).toMatchObject({ rateKbps: 256 });
    const cycleEndsAt = at;
    expect(decide({ dataState: 2, cycleEndsAt })).toMatchObject({ accept: true });
    expect(decide({ dataState: 1, rateKbps: 256, cycleEndsAt })).toMatchObject({ rateKbps: null });
    expect(decide({ dataState: 2, cycleEndsAt: null })).toMatchObject({ accept: false });
  });

  it('is refused outside of the bundle’s countries, if the bundle says so and the country is known', () => {
    const abroad = (sim: Partial<AccessSim>, country: string | null) =>
      decideAccess({ ...active, ...sim }, { apn: undefined, at, country });
    const shut = { outOfCoveragePolicy: 'shut down', coverageCountries: ['DE', 'FR'] };
    expect(abroad(shut, 'US')).toEqual({ accept: false, reason: 'outside-coverage' });
    expect(abroad(shut, 'FR')).toMatchObject({ accept: true });
    expect(abroad(shut, null)).toMatchObject({ accept: true });
    expect(abroad({ ...shut, coverageCountries: [] }, 'US')).toMatchObject({ accept: true });
    expect(abroad({ ...shut, outOfCoveragePolicy: 'billing' }, 'US')).toMatchObject({ accept: true });
    expect(abroad({ ...shut, outOfCoveragePolicy: 'not applicable' }, 'US')).toMatchObject({ accept: true });
  });

  it('is bound to the APN of the SIM, whatever its case and operator identifier', () => {
    const apn = 'iot.example';
    for (const requested of ['iot.example', 'IOT.Example', 'iot.example.mnc007.mcc214.gprs', undefined]) {
      expect(decideAccess({ ...active, apn }, { apn: requested, at, country: null })).toMatchObject({
        accept: true,
      });
    }
    for (const requested of ['iot.example2', 'internet', 'x.iot.example', 'iot.example.mnc7.mcc214.gprs']) {
      expect(decide({ apn }, requested)).toEqual({ accept: false, reason: 'apn-not-allowed' });
    }
    expect(decide({ apn: 'IoT.example.mnc007.mcc214.gprs' }, apn)).toMatchObject({ accept: true });
  });
});
