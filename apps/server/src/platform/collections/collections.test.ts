import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupBy, inChunks } from './index.ts';

it('inChunks keeps all items in order, in parts that are full except the last', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (items, size) => {
      const parts = inChunks(items, size);
      expect(parts.flat()).toEqual(items);
      expect(parts.slice(0, -1).every((part) => part.length === size)).toBe(true);
      expect(parts.every((part) => part.length > 0)).toBe(true);
    }),
  );
});

it('groupBy keeps the order of items, and of keys by their first items', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (items) => {
      const groups = groupBy(items, (item) => item % 5);
      expect([...groups.keys()]).toEqual([...new Set(items.map((item) => item % 5))]);
      for (const [key, group] of groups) expect(group).toEqual(items.filter((item) => item % 5 === key));
    }),
  );
});
