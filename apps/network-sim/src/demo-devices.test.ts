import { luhnDigit } from '@simcube/radius';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoDevices, imeisvOf, otherImei } from './demo-devices.ts';
import { deviceKindNames } from './device-kinds.ts';
import { findCountry, findOperator } from './world.ts';

const isChecked = (digits: string): boolean => luhnDigit(digits.slice(0, -1)) === Number(digits.slice(-1));

describe('demoDevices', () => {
  it('returns valid identifiers, names and tags for every seed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const device of demoDevices(60, seed)) {
          expect(device.iccid).toMatch(/^89\d{17,18}$/);
          expect(isChecked(device.iccid)).toBe(true);
          expect(device.imsi).toMatch(/^\d{15}$/);
          expect(device.imsi.startsWith(device.homePlmn)).toBe(true);
          expect(device.msisdn).toMatch(/^[1-9]\d{9,14}$/);
          expect(device.imei).toMatch(/^\d{15}$/);
          expect(isChecked(device.imei)).toBe(true);
          expect(isChecked(otherImei(device, 1))).toBe(true);
          expect(imeisvOf(device.imei)).toMatch(/^\d{16}$/);
          expect(findOperator(device.homePlmn)?.country).toBe(device.homeCountry);
          expect(findCountry(device.baseCountry)?.cities.map(({ name }) => name)).toContain(device.baseCity);
          expect(device.tags.length).toBeLessThanOrEqual(10);
          for (const tag of device.tags) expect(tag.length).toBeLessThanOrEqual(10);
          expect(device.name.length).toBeLessThanOrEqual(40);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('repeats no identifier, and a shorter list is a prefix of a longer one', () => {
    const devices = demoDevices(20_000, 7);
    for (const key of ['iccid', 'imsi', 'msisdn', 'imei'] as const) {
      expect(new Set(devices.map((device) => device[key])).size, key).toBe(devices.length);
    }
    expect(demoDevices(100, 7)).toEqual(devices.slice(0, 100));
    expect(demoDevices(100, 8)[0]?.imsi).not.toBe(devices[0]?.imsi);
    const kinds = new Set(devices.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(deviceKindNames));
  });

  it('rejects more devices than the number ranges hold', () => {
    expect(() => demoDevices(5_000_001, 1)).toThrow(RangeError);
    expect(() => demoDevices(-1, 1)).toThrow(RangeError);
  });
});
