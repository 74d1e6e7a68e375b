import { expect, it } from 'vitest';
import { simSelectionSchema } from './selection.ts';

it('a search of invisible characters, which lists ignore, selects no SIMs', () => {
  for (const search of ['\u200b', ' ', ''])
    expect(simSelectionSchema.safeParse({ filter: { search } }).success, JSON.stringify(search)).toBe(false);
  expect(simSelectionSchema.parse({ filter: { search: ' truck ' } })).toEqual({
    filter: { search: 'truck' },
  });
  expect(simSelectionSchema.parse({ filter: {} })).toEqual({ filter: {} });
});
