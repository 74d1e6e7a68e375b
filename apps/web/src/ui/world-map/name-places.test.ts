import { expect, test } from 'vitest';
import { placeNames } from './name-places.ts';

const name = { x: 500, y: 300, half: 30, bounds: [400, 200, 600, 400] } as const;
const markAt = (x: number, y: number) => [x - 12, y - 12, x + 12, y + 12] as const;

test('a name without marks near it stands at the centre of its country', () => {
  const far = markAt(410, 210);
  expect(placeNames([name], { marks: [far], unit: 1, top: 0 })).toEqual([{ x: 500, y: 300 }]);
});

test('a name that would cover a mark stands beside it, within its country', () => {
  const mark = { x: 505, y: 300 };
  const [place = { x: 0, y: 0 }] = placeNames([name], { marks: [markAt(mark.x, mark.y)], unit: 1, top: 0 });
  const clear =
    Math.abs(place.x - mark.x) >= 42 || place.y + 17 <= mark.y - 12 || place.y - 14 >= mark.y + 12;
  expect(clear).toBe(true);
  expect(place.x > 400 && place.x < 600 && place.y > 200 && place.y < 400).toBe(true);
});

test('a name that would cover another one stands beside it', () => {
  const [first = { y: 0 }, second = { y: 0 }] = placeNames([name, name], { marks: [], unit: 1, top: 0 });
  expect(first.y).toBe(300);
  expect(second).not.toEqual(first);
});

test('where marks are everywhere, the name stays at the centre', () => {
  const marks = Array.from({ length: 400 }, (_, index) =>
    markAt(400 + (index % 20) * 10, 200 + Math.floor(index / 20) * 10),
  );
  expect(placeNames([name], { marks, unit: 1, top: 0 })).toEqual([{ x: 500, y: 300 }]);
});

test('no name is moved to where facts cover the map', () => {
  const places = [0, 310].map((top) => placeNames([name], { marks: [markAt(500, 320)], unit: 1, top }));
  const [free, below] = places.map(([place]) => place?.y ?? 0);
  expect(free).toBeLessThan(310);
  expect(below).toBeGreaterThan(310);
});
