import { expect, test } from 'vitest';
import { readable, regular, textWidth } from './labels.ts';

test('labels that would touch the one before are left out', () => {
  const labels = ['10 Nov', '11 Nov', '12 Nov', '13 Nov'].map((text, index) => ({ text, x: index * 30 }));
  expect([...readable(labels)]).toEqual([0, 2]);
  expect([...readable(labels.map(({ text, x }) => ({ text, x: x * 2 })))]).toEqual([0, 1, 2, 3]);
});

test('labels of an axis are as far from one another everywhere, however wide each is', () => {
  const at = (texts: readonly string[], stride: number) =>
    texts.map((text, index) => ({ text, x: index * stride }));
  const days = ['Oct 28', 'Oct 29', 'Oct 30', 'Oct 31', 'Nov 1', 'Nov 2', 'Nov 3', 'Nov 4', 'Nov 5'];
  // From the left alone, the short ones would stand closer.
  expect([...readable(at(days, 38))]).toEqual([0, 2, 4, 5, 6, 7, 8]);
  expect([...regular(at(days, 38))]).toEqual([0, 2, 4, 6, 8]);
  expect([...regular(at(days, 60))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...regular(at(days, 2))]).toEqual([0]);
  expect([...regular(at(['00', '', '02', '', '04', '', '06'], 8))]).toEqual([0, 4]);
  expect([...regular([])]).toEqual([]);
});

test('an empty label takes no room', () => {
  expect([...readable(['00', '', '02'].map((text, index) => ({ text, x: index * 15 })))]).toEqual([0, 2]);
});

test('Chinese characters are wider than Latin ones', () => {
  expect(textWidth('十一月')).toBeGreaterThan(textWidth('Nov'));
});
