import { expect, test } from 'vitest';
import { tagsThatFit } from './tags-that-fit.ts';

test.each([
  [[], 0],
  [['fleet', 'eu'], 2],
  [['kiosk', 'retail', 'ES'], 1],
  [['overlength'], 1],
  [['a', 'b', 'c', 'd', 'e'], 2],
])('of the tags %j, %d are shown', (tags, shown) => {
  expect(tagsThatFit(tags)).toBe(shown);
});
