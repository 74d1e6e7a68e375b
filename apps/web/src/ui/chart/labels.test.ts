import { expect, test } from 'vitest';
import { readable, textWidth } from './labels.ts';

test('labels that would touch the one before are left out', () => {
  const labels = ['10 Nov', '11 Nov', '12 Nov', '13 Nov'].map((text, index) => ({ text, x: index * 30 }));
  expect([...readable(labels)]).toEqual([0, 2]);
  expect([...readable(labels.map(({ text, x }) => ({ text, x: x * 2 })))]).toEqual([0, 1, 2, 3]);
});

test('an empty label takes no room', () => {
  expect([...readable(['00', '', '02'].map((text, index) => ({ text, x: index * 15 })))]).toEqual([0, 2]);
});

test('Chinese characters are wider than Latin ones', () => {
  expect(textWidth('十一月')).toBeGreaterThan(textWidth('Nov'));
});
