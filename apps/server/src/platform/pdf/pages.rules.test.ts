import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesOf } from './pages.rules.ts';

interface Item {
  name: string;
  height: number;
  keepWithNext?: boolean;
  heading?: Item;
}

const names = (pages: Item[][]) => pages.map((page) => page.map(({ name }) => name).join(' '));
const row = (name: string, more: Partial<Item> = {}): Item => ({ name, height: 10, ...more });

it('a page is filled before the next one begins', () => {
  expect(names(pagesOf([row('a'), row('b'), row('c')], 20))).toEqual(['a b', 'c']);
  expect(pagesOf([], 20)).toEqual([]);
});

it('a heading stays on the page of its content', () => {
  expect(names(pagesOf([row('a'), row('heading', { keepWithNext: true }), row('b')], 20))).toEqual([
    'a',
    'heading b',
  ]);
});

it('a table heading is repeated on the next page', () => {
  const heading = row('columns', { keepWithNext: true });
  const rows = ['a', 'b', 'c'].map((name) => row(name, { heading }));
  expect(names(pagesOf([heading, ...rows], 20))).toEqual(['columns a', 'columns b', 'columns c']);
});

it('every item is on one page, in order, and no page overflows', () => {
  const item = fc.record({ height: fc.integer({ min: 1, max: 40 }), keepWithNext: fc.boolean() });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), (drawn) => {
      const items = drawn.map((one, index) => ({ ...one, name: String(index) }));
      const pages = pagesOf(items, 100);
      expect(pages.flat()).toEqual(items);
      for (const page of pages) {
        // Only items that stay together may need more than a page.
        const breakable = page.slice(0, -1).some(({ keepWithNext }) => !keepWithNext);
        if (breakable) expect(page.reduce((sum, { height }) => sum + height, 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
