import { cellKey, decodeUserLocation, encodeUserLocation } from '@simcube/radius';
import { describe, expect, it } from 'vitest';
import { cells, countries, findCell, findOperator } from './world.ts';

describe('the world', () => {
  it('has at least 40 operators in 20 countries, with unique PLMNs', () => {
    const operators = countries.flatMap((country) => country.operators);
    expect(countries.length).toBeGreaterThanOrEqual(20);
    expect(operators.length).toBeGreaterThanOrEqual(40);
    expect(new Set(operators.map(({ mcc, mnc }) => mcc + mnc)).size).toBe(operators.length);
    for (const { mcc, mnc, country } of operators) {
      expect(`${mcc}-${mnc}`).toMatch(/^\d{3}-\d{2,3}$/);
      expect(findOperator(mcc + mnc)?.country).toBe(country);
    }
  });

  it('has cells with unique keys, near their city, that fit into RADIUS', () => {
    expect(new Set(cells.map(({ key }) => key)).size).toBe(cells.length);
    for (const { key, location, latitude, longitude, city } of cells) {
      const carried = decodeUserLocation(encodeUserLocation(location));
      expect(carried && cellKey(carried)).toBe(key);
      expect(Math.abs(latitude - city.latitude)).toBeLessThan(0.06);
      expect(Math.abs(longitude - city.longitude)).toBeLessThan(0.08);
    }
  });

  it('has no cells of an operator abroad', () => {
    const [portugal, spain] = countries;
    const operator = portugal.operators[0];
    const radio = 'EUTRAN' as const;
    expect(findCell({ operator, city: portugal.cities[0], site: 7, radio })?.operator).toBe(operator);
    expect(
      findCell({ operator, city: spain?.cities[0] ?? portugal.cities[0], site: 0, radio }),
    ).toBeUndefined();
  });
});
