import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { hasOutline, WorldMap, type WorldMapProps } from './index.ts';
import { outlineOf, positionOf } from './outlines.ts';

const show = async (props: Partial<WorldMapProps> = {}) => {
  render(
    <Suspense fallback="…">
      <WorldMap countries={['DE']} label="In Germany" {...props} />
    </Suspense>,
  );
  return await screen.findByRole('img');
};
const boxOf = (map: Element) => {
  const [x = 0, y = 0, width = 0, height = 0] = (map.getAttribute('viewBox') ?? '').split(' ').map(Number);
  return { x, y, width, height };
};
const marked = (map: Element) =>
  [...map.querySelectorAll('[data-marked="true"]')].map((path) => path.getAttribute('d'));

test('the map has a description, and highlights the country only', async () => {
  const map = await show();
  expect(map).toHaveAccessibleName('In Germany');
  expect(marked(map)).toEqual([outlineOf('DE')?.path]);
  expect(map.querySelectorAll('path').length).toBeGreaterThan(150);
  expect(map.querySelector('circle')).toBeNull();
});

test('the map first shows the highlighted country completely, and the world on request', async () => {
  const map = await show({ countries: ['ES', 'SE'] });
  const near = boxOf(map);
  for (const country of ['ES', 'SE']) {
    const [left, top, right, bottom] = outlineOf(country)?.bounds ?? [0, 0, 0, 0];
    expect(left).toBeGreaterThanOrEqual(near.x);
    expect(top).toBeGreaterThanOrEqual(near.y);
    expect(right).toBeLessThanOrEqual(near.x + near.width);
    expect(bottom).toBeLessThanOrEqual(near.y + near.height);
  }
  const user = userEvent.setup();
  await user.click(screen.getByText('World'));
  expect(boxOf(map)).toEqual({ x: 0, y: 20, width: 960, height: 410 });
  await user.click(screen.getByText('Here'));
  expect(boxOf(map)).toEqual(near);
});

test('a place on the map is a point of the same size at any zoom', async () => {
  const berlin = { latitude: 52.52, longitude: 13.4 };
  const map = await show({ point: berlin });
  const [x, y] = positionOf(berlin);
  const radius = () => {
    const [halo, point] = map.querySelectorAll('circle');
    expect([Number(point?.getAttribute('cx')), Number(point?.getAttribute('cy'))]).toEqual([x, y]);
    expect(Number(halo?.getAttribute('r'))).toBeGreaterThan(Number(point?.getAttribute('r')));
    return Number(point?.getAttribute('r')) / boxOf(map).width;
  };
  const near = radius();
  await userEvent.setup().click(screen.getByText('World'));
  expect(radius()).toBeCloseTo(near);
});

test.each([
  ['at the edge of the world', { latitude: -41.3, longitude: 174.8 }],
  ['on the other edge', { latitude: 64.8, longitude: -172 }],
])('a place %s is visible within the bounds of the map', async (_, point) => {
  const map = await show({ countries: [], point });
  const { x, y, width, height } = boxOf(map);
  const [cx, cy] = positionOf(point);
  expect([cx >= x, cx <= x + width, cy >= y, cy <= y + height]).toEqual([true, true, true, true]);
  expect([x >= 0, x + width <= 960]).toEqual([true, true]);
});

test('a country without an outline highlights nothing on the map', async () => {
  expect([hasOutline('DE'), hasOutline('MC')]).toEqual([true, false]);
  const map = await show({ countries: ['MC'] });
  expect(marked(map)).toEqual([]);
  expect(boxOf(map).width).toBe(960);
  expect(screen.queryByText('World')).toBeNull();
});
