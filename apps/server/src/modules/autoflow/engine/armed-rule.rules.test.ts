import { describe, expect, it } from 'vitest';
import { type ArmedRule, covers, isActiveAt } from './armed-rule.rules.ts';
import { countryMoves } from './country-moves.rules.ts';

const ruleOf = (own: Partial<ArmedRule>): ArmedRule => ({
  id: 1,
  version: 1,
  actions: [],
  groupMinutes: null,
  since: 100,
  until: 200,
  trigger: { kind: 'silent', hours: 1 },
  scope: { kind: 'all' },
  ...own,
});

describe('a rule', () => {
  it('is active from its start until before its end', () => {
    const at = [99, 100, 199, 200];
    expect(at.map((time) => isActiveAt(ruleOf({}), time))).toEqual([false, true, true, false]);
    expect(at.map((time) => isActiveAt(ruleOf({ until: null }), time))).toEqual([false, true, true, true]);
  });

  it('covers all SIMs, or those with a tag, a bundle of a type, or in a list', () => {
    const sim = { simId: 7, tags: ['Fleet', 'ｔｅｓｔ'], bundleType: 'prepaid basic' };
    const lists = new Map([[7, new Set(['3'])]]);
    const isFor = (scope: ArmedRule['scope'], of = sim) => covers(ruleOf({ scope }), of, lists);
    expect(isFor({ kind: 'all' })).toBe(true);
    expect(isFor({ kind: 'tags', tags: ['other', 'fleet'] })).toBe(true);
    expect(isFor({ kind: 'tags', tags: ['Test'] })).toBe(true);
    expect(isFor({ kind: 'tags', tags: ['other'] })).toBe(false);
    expect(isFor({ kind: 'product-type', types: ['prepaid basic'] })).toBe(true);
    expect(isFor({ kind: 'product-type', types: ['postpaid flow'] })).toBe(false);
    expect(isFor({ kind: 'manual', list_id: '3' })).toBe(true);
    expect(isFor({ kind: 'manual', list_id: '4' })).toBe(false);
    expect(isFor({ kind: 'uploaded', list_id: '3' } as never, { ...sim, simId: 8 })).toBe(false);
  });
});

describe('moves between countries', () => {
  const countries = new Map([
    ['26201', 'DE'],
    ['26202', 'DE'],
    ['20801', 'FR'],
  ]);
  const moves = (...steps: [simId: number, from: string, to: string][]) =>
    countryMoves(
      steps.map(([simId, from, to]) => ({ simId, from, to }) as Parameters<typeof countryMoves>[0][number]),
      countries,
    ).map(({ simId, from, to }) => [simId, from, to]);

  it('are those between networks of two countries, or of one', () => {
    expect(moves([1, '26201', '20801'], [1, '20801', '26202'], [1, '26202', '26201'])).toEqual([
      [1, 'DE', 'FR'],
      [1, 'FR', 'DE'],
      [1, 'DE', 'DE'],
    ]);
  });

  it('come from the country before a network at sea', () => {
    expect(moves([1, '26201', '90112'], [1, '90112', '90114'], [1, '90114', '20801'])).toEqual([
      [1, 'DE', 'FR'],
    ]);
  });

  it('are omitted if it is not known where the SIM was, also if another one was there', () => {
    expect(moves([1, '26201', '90112'], [2, '90112', '20801'], [2, '20801', '26201'])).toEqual([
      [2, 'FR', 'DE'],
    ]);
  });
});
