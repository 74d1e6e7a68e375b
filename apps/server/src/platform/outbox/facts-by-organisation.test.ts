import { expect, it } from 'vitest';
import { factsByOrganisation } from './facts-by-organisation.ts';

it('a fact is about one organisation and a limited number of rows; the first of each organisation is known', () => {
  const groups = new Map([
    [1, ['a', 'b', 'c']],
    [2, ['d', 'e', 'f']],
  ]);
  expect(factsByOrganisation(groups, 2, (part, context) => ({ part, ...context }))).toEqual([
    { orgId: 1, payload: { part: ['a', 'b'], orgId: 1, isFirst: true } },
    { orgId: 1, payload: { part: ['c'], orgId: 1, isFirst: false } },
    { orgId: 2, payload: { part: ['d', 'e'], orgId: 2, isFirst: true } },
    { orgId: 2, payload: { part: ['f'], orgId: 2, isFirst: false } },
  ]);
});
