import { expect, test } from 'vitest';
import { countryNumbers } from './country-numbers.ts';
import {
  aspectRatio,
  boxOf,
  clampView,
  panView,
  viewAround,
  wholeWorld,
  withoutOutliers,
  xOf,
  yOf,
  zoomView,
} from './mercator.ts';
import { shapesOf } from './shapes.ts';

test('both scales contain the expected countries, none torn by the date line', async () => {
  const far = await shapesOf('far');
  const near = await shapesOf('near');
  const known = (shapes: typeof far) => new Set(shapes.map(({ country }) => country));
  for (const country of countryNumbers.keys())
    expect([known(far).has(country), country]).toEqual([true, country]);
  for (const country of ['MC', 'SG', 'HK', 'MT', 'DE']) expect(known(near)).toContain(country);
  // Shapes are cut at the date line; if one were torn by it, the country would extend across the whole world, as only these two
  // do.
  for (const { country, bounds } of near) {
    if (country !== 'AQ' && country !== 'RU')
      expect([country, bounds[2] - bounds[0] < 400]).toEqual([country, true]);
  }
});

test('a view converts between map coordinates and degrees', () => {
  const view = viewAround([[xOf(5), yOf(55), xOf(15), yOf(47)]]);
  const box = boxOf(view);
  expect(box.west < 5 && box.east > 15 && box.south < 47 && box.north > 55).toBe(true);
  expect(xOf(box.west)).toBeCloseTo(view.x);
  expect(yOf(box.north)).toBeCloseTo(view.y);
});

test('a view around a country shows it above the legend, whether it is tall or wide', () => {
  for (const [west, north, east, south] of [
    [6, 47, 19, 36],
    [5, 55, 15, 47],
    [-84, 50, -60, 45],
  ] as const) {
    const view = viewAround([[xOf(west), yOf(north), xOf(east), yOf(south)]]);
    const high = view.width * aspectRatio;
    expect(yOf(north)).toBeGreaterThan(view.y);
    expect(yOf(south)).toBeLessThan(view.y + high * 0.85);
    expect([xOf(west) > view.x, xOf(east) < view.x + view.width]).toEqual([true, true]);
  }
});

test('a view never leaves the world', () => {
  const view = zoomView(wholeWorld, 0.25, { x: 0, y: 0.5 });
  expect(view.width).toBe(250);
  expect(panView(view, { x: -1, y: 0 }).x).toBe(0);
  expect(panView(view, { x: 9, y: 0 }).x).toBe(750);
  expect(zoomView(wholeWorld, 2).width).toBe(1000);
  expect(clampView({ x: 500, y: 500, width: 0.001 }).width).toBe(6);
});

test('the first view excludes distant countries with little weight', () => {
  const near = (x: number, weight: number) => ({ bounds: [x, 300, x + 10, 310] as const, weight });
  const europe = [near(500, 50), near(515, 20), near(530, 20)];
  const island = near(900, 5);
  const bounds = (parts: typeof europe) => parts.map((part) => part.bounds);
  expect(withoutOutliers([...europe, island])).toEqual(bounds(europe));
  // A country with a large amount stays, however far away; a near one stays, however small its amount.
  const heavy = near(900, 40);
  expect(withoutOutliers([...europe, heavy])).toEqual(bounds([...europe, heavy]));
  const small = near(545, 1);
  expect(withoutOutliers([...europe, small])).toEqual(bounds([...europe, small]));
  expect(withoutOutliers([])).toEqual([]);
});
