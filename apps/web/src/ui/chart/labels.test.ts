import { expect, test } from 'vitest';
import { evenlySpaced, textWidth, visibleAboveBars, withoutOverlap } from './labels.ts';

test('labels that would touch the previous one are omitted', () => {
  const labels = ['10 Nov', '11 Nov', '12 Nov', '13 Nov'].map((text, index) => ({ text, x: index * 30 }));
  expect([...withoutOverlap(labels)]).toEqual([0, 2]);
  expect([...withoutOverlap(labels.map(({ text, x }) => ({ text, x: x * 2 })))]).toEqual([0, 1, 2, 3]);
});

test('axis labels are evenly spaced, however wide each is', () => {
  const at = (texts: readonly string[], stride: number) =>
    texts.map((text, index) => ({ text, x: index * stride }));
  const days = ['Oct 28', 'Oct 29', 'Oct 30', 'Oct 31', 'Nov 1', 'Nov 2', 'Nov 3', 'Nov 4', 'Nov 5'];
  // Choosing from the left alone, the short labels would be closer together.
  expect([...withoutOverlap(at(days, 38))]).toEqual([0, 2, 4, 5, 6, 7, 8]);
  expect([...evenlySpaced(at(days, 38))]).toEqual([0, 2, 4, 6, 8]);
  expect([...evenlySpaced(at(days, 60))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...evenlySpaced(at(days, 2))]).toEqual([0]);
  expect([...evenlySpaced(at(['00', '', '02', '', '04', '', '06'], 8))]).toEqual([0, 4]);
  expect([...evenlySpaced([])]).toEqual([]);
});

test('minor axis labels are left out unless all fit, also if the first is one', () => {
  const halfDays = ['12:00', 'Nov 12', '12:00', 'Nov 13', '12:00', 'Nov 14'];
  const at = (stride: number) =>
    halfDays.map((text, index) => ({ text, x: index * stride, isMinor: index % 2 === 0 }));
  expect([...evenlySpaced(at(42))]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...evenlySpaced(at(24))]).toEqual([1, 3, 5]);
  expect([...evenlySpaced(at(20))]).toEqual([1, 5]);
});

test('an empty label takes no space', () => {
  expect([...withoutOverlap(['00', '', '02'].map((text, index) => ({ text, x: index * 15 })))]).toEqual([
    0, 2,
  ]);
});

test('Chinese characters are wider than Latin ones', () => {
  expect(textWidth('十一月')).toBeGreaterThan(textWidth('Nov'));
});

test('an amount that a higher neighbouring bar would cover is omitted', () => {
  const heights = [40, 100, 41, 20];
  const labels = heights.map((height, index) => ({ text: '0.636', x: index * 18, height }));
  // The third would not overlap the first, which is left out, but it is still next to the second.
  expect([...visibleAboveBars(labels, 10)]).toEqual([1]);
  const apart = labels.map((label, index) => ({ ...label, x: index * 60 }));
  expect([...visibleAboveBars(apart, 20)]).toEqual([0, 1, 2, 3]);
});
