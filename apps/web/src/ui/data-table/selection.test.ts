import { describe, expect, test } from 'vitest';
import { allMatching, isSelected, noSelection, pageState, select, selectedCount } from './selection.ts';

describe('a selection', () => {
  test('by key counts its keys, for any total', () => {
    const two = select(noSelection, ['a', 'b'], true);
    expect(selectedCount(two, 1284)).toBe(2);
    expect(isSelected(two, 'a')).toBe(true);
    expect(selectedCount(select(two, ['a'], false), 1284)).toBe(1);
  });

  test('of all that match counts the total less its exclusions', () => {
    const all = select(allMatching, ['a', 'b'], false);
    expect(selectedCount(all, 1284)).toBe(1282);
    expect(isSelected(all, 'a')).toBe(false);
    expect(isSelected(all, 'never seen on any page')).toBe(true);
  });

  test('can include an excluded row again', () => {
    const back = select(select(allMatching, ['a'], false), ['a'], true);
    expect(back).toEqual(allMatching);
  });

  test('never counts below zero when the total shrinks', () => {
    expect(selectedCount(select(allMatching, ['a', 'b'], false), 1)).toBe(0);
  });

  test('keeps rows of other pages when a page is selected or cleared', () => {
    const pageTwo = select(select(noSelection, ['a'], true), ['m', 'n'], true);
    expect(selectedCount(pageTwo, 100)).toBe(3);
    expect(selectedCount(select(pageTwo, ['m', 'n'], false), 100)).toBe(1);
  });

  test("gives the state of a page's checkbox", () => {
    const one = select(noSelection, ['a'], true);
    expect(pageState(one, ['a', 'b'])).toBe('some');
    expect(pageState(one, ['a'])).toBe('all');
    expect(pageState(one, ['c'])).toBe('none');
    expect(pageState(one, [])).toBe('none');
    expect(pageState(select(allMatching, ['a'], false), ['a', 'b'])).toBe('some');
  });

  test('is not changed in place', () => {
    select(noSelection, ['a'], true);
    expect(selectedCount(noSelection, 10)).toBe(0);
  });
});
