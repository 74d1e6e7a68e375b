import { addedCalls, addedScreens, specCalls, specScreens } from '@simcube/contract/spec';
import { describe, expect, it } from 'vitest';
import built from './built.json' with { type: 'json' };
import { builtOf, specCoverage } from './spec-coverage.ts';

const coverage = specCoverage();

describe('the coverage of the specification', () => {
  it('contains only calls and screens of the specification or of listed additions', () => {
    expect(coverage.unknown).toEqual([]);
    for (const reason of [...Object.values(addedCalls), ...Object.values(addedScreens)]) {
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it('equals the committed list', () => {
    const hint =
      'After building something new: npm run coverage:spec -- --update. Nothing may ever leave built.json.';
    expect(builtOf(coverage), hint).toEqual(built);
  });
});

describe('the list of calls and screens', () => {
  it('contains every call and screen once', () => {
    const calls = specCalls.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls).toHaveLength(180);
    const screens = Object.values(specScreens).flat();
    expect(new Set(screens).size).toBe(screens.length);
    expect(screens).toHaveLength(29);
  });

  it('has every path behind a service prefix of the gateway', () => {
    const prefixes = /^\/(cube|customer|identity|rule-engine|data-pool|cdr|job-service|public-sphere)\//;
    for (const { path } of specCalls) expect(path).toMatch(prefixes);
  });
});
