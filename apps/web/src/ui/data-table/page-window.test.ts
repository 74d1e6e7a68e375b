import { describe, expect, test } from 'vitest';
import { hasNext, pageRange, pageWindow } from './page-window.ts';

const page = (number: number, total: number, relation: 'eq' | 'gte' = 'eq') => ({
  number,
  size: 50,
  total,
  relation,
});

describe('the pager', () => {
  test('offers the first, last and neighbouring pages', () => {
    expect(pageWindow(page(1, 1284))).toEqual([1, 2, 3, 'gap-end', 26]);
    expect(pageWindow(page(13, 1284))).toEqual([1, 'gap-start', 12, 13, 14, 'gap-end', 26]);
    expect(pageWindow(page(26, 1284))).toEqual([1, 'gap-start', 25, 26]);
  });

  test('shows a page instead of a gap of one', () => {
    expect(pageWindow(page(3, 250))).toEqual([1, 2, 3, 4, 5]);
  });

  test('has one page without rows', () => {
    expect(pageWindow(page(1, 0))).toEqual([1]);
  });

  test('leaves the end open when the total is a lower bound', () => {
    expect(pageWindow(page(1, 10_000, 'gte'))).toEqual([1, 2, 3, 'gap-end']);
  });

  test('shows the range of rows', () => {
    expect(pageRange({ number: 2, size: 50, rows: 50 })).toEqual({ from: 51, to: 100 });
    expect(pageRange({ number: 26, size: 50, rows: 34 })).toEqual({ from: 1251, to: 1284 });
    expect(pageRange({ number: 1, size: 50, rows: 0 })).toEqual({ from: 0, to: 0 });
  });

  test('continues past the counted total while pages are full', () => {
    expect(hasNext(page(200, 10_000, 'gte'), 50)).toBe(true);
    expect(hasNext(page(200, 10_000), 50)).toBe(false);
    expect(hasNext(page(210, 10_000, 'gte'), 12)).toBe(false);
  });
});
