import { expect, test } from 'vitest';
import { labelStarts } from './history-labels.ts';

test('labels are centred under their points, within the line', () => {
  expect(
    labelStarts(
      [
        { x: 0, width: 100 },
        { x: 500, width: 100 },
        { x: 1000, width: 100 },
      ],
      1000,
    ),
  ).toEqual([0, 450, 900]);
});

test('labels of near points are moved beside them', () => {
  const near = [
    { x: 890, width: 80 },
    { x: 1000, width: 120 },
  ];
  expect(labelStarts(near, 1000)).toEqual([788, 880]);
});

test('labels that would be far from their points are not placed', () => {
  const close = [480, 500, 520].map((x) => ({ x, width: 150 }));
  expect(labelStarts(close, 1000)).toBeUndefined();
  expect(labelStarts(close, 300)).toBeUndefined();
});
