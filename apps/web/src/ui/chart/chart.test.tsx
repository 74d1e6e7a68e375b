import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { BarChart, LineChart, RingChart } from './index.ts';

const width = 400;
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
});

const read = (value: number) => `${value} MB`;
const figure = (name: string) => screen.getByRole('figure', { name });
const drawing = (name: string): SVGSVGElement => {
  const svg = figure(name).querySelector('svg');
  if (!svg) throw new Error('nothing is drawn');
  return svg;
};
const point = (name: string, x: number, y = 50) =>
  fireEvent.pointerMove(drawing(name), { clientX: x, clientY: y });
const attribute = (name: string) => (element: Element) => element.getAttribute(name);

const bars = (
  <BarChart
    categories={['18', '19', '20', '21']}
    categoryLabel="Day"
    isPale={(index) => index === 2}
    label="Daily usage"
    longCategories={['18 Nov', '19 Nov', '20 Nov', '21 Nov']}
    read={read}
    readBar={(value) => `${value}.0`}
    unfinished={3}
    valueLabel="Used"
    values={[7, 8, 9, 2]}
  />
);
const barsOf = (name: string) => [...drawing(name).querySelectorAll(':scope > svg rect')];

test('the bar of a period that still runs is hatched, one that may change is paler', () => {
  render(bars);
  const fills = barsOf('Daily usage').map(attribute('fill'));
  expect(fills.slice(0, 3)).toEqual(['var(--amount)', 'var(--amount)', 'var(--amount-faded)']);
  const hatching = /^url\(#(.+)\)$/.exec(fills[3] ?? '')?.[1];
  expect(drawing('Daily usage').querySelector('pattern')).toHaveAttribute('id', hatching);
  const rows = within(screen.getByRole('table', { name: 'Daily usage' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayUsed',
    '18 Nov7 MB',
    '19 Nov8 MB',
    '20 Nov9 MB',
    '21 Nov (so far)2 MB',
  ]);
});

test('bars are as high as their values, with the value above and the category below', () => {
  render(bars);
  const heights = barsOf('Daily usage').map((bar) => Number(bar.getAttribute('height')) - 3);
  const [first = 0, ...others] = heights;
  expect(others.map((height) => (height / first) * 7)).toEqual([
    expect.closeTo(8),
    expect.closeTo(9),
    expect.closeTo(2),
  ]);
  const texts = [...drawing('Daily usage').querySelectorAll('text')].map((text) => text.textContent);
  expect(texts).toEqual(['7.0', '8.0', '9.0', '2.0', '18', '19', '20', '21']);
});

test('what is pointed at is named with its exact value, until the pointer leaves', () => {
  render(bars);
  point('Daily usage', 250);
  const tip = () => drawing('Daily usage').nextElementSibling?.textContent;
  expect(tip()).toBe('20 Nov9 MB');
  point('Daily usage', 390);
  expect(tip()).toBe('21 Nov (so far)2 MB');
  fireEvent.pointerLeave(drawing('Daily usage'));
  expect(tip()).toBeUndefined();
});

test('the table takes the place of the drawing for who asks for it by keyboard', async () => {
  const user = userEvent.setup();
  render(bars);
  const scrolled = () => screen.queryByRole('group', { name: 'Daily usage' });
  expect(scrolled()).toBeNull();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Show as table' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(scrolled()).toHaveAttribute('tabindex', '0');
  expect(scrolled()).toHaveStyle({ height: '170px' });
  await user.click(screen.getByRole('button', { name: 'Show as chart' }));
  expect(scrolled()).toBeNull();
});

test('a line does not fall to a value whose period still runs', () => {
  render(
    <LineChart
      categories={['00', '01', '02']}
      categoryLabel="Hour"
      label="Usage"
      read={read}
      series={[
        { name: 'today', values: [5, 6, 1], colour: 'amount', area: true, unfinished: true },
        { name: 'yesterday', values: [4, 5, 6], colour: 'grey', dashed: true },
      ]}
      unit="B"
    />,
  );
  const line = (name: string) => drawing('Usage').querySelector(`g[data-series="${name}"]`);
  const paths = (name: string) => [...(line(name)?.querySelectorAll(':scope > path') ?? [])];
  const points = (path: Element | undefined) => path?.getAttribute('d')?.match(/[ML]/g)?.length;
  const [under, today] = paths('today');
  expect(under).toHaveAttribute('fill-opacity', '0.1');
  expect(points(today)).toBe(2);
  expect(today).not.toHaveAttribute('stroke-dasharray');
  expect(line('today')?.querySelector('[data-so-far] circle')).toBeInTheDocument();
  const [yesterday] = paths('yesterday');
  expect(points(yesterday)).toBe(3);
  expect(yesterday).toHaveAttribute('stroke-dasharray', '4 4');
  expect(line('yesterday')?.querySelector('[data-so-far]')).toBeNull();
  expect(screen.getByRole('row', { name: '02 (so far) 1 MB 6 MB' })).toBeInTheDocument();
});

test('a ring of nothing is empty; its parts have the colours of their status and lead somewhere', () => {
  const onSelect = vi.fn();
  const ring = (active: number, expired: number) => (
    <RingChart
      categoryLabel="Status"
      label="Lifecycle"
      onSelect={onSelect}
      read={String}
      size={100}
      slices={[
        { name: 'Active', value: active, colour: 'teal' },
        { name: 'Expired', value: expired, colour: 'red' },
      ]}
      valueLabel="SIMs"
    >
      {active + expired}
    </RingChart>
  );
  const fills = () => [...drawing('Lifecycle').querySelectorAll('path')].map(attribute('fill'));
  const { rerender } = render(ring(0, 0));
  expect(fills()).toEqual(['var(--track)']);
  point('Lifecycle', 95, 50);
  fireEvent.click(drawing('Lifecycle'));
  expect(onSelect).not.toHaveBeenCalled();
  rerender(ring(3, 1));
  expect(fills()).toEqual(['var(--teal)', 'var(--red)']);
  point('Lifecycle', 95, 50);
  expect(drawing('Lifecycle').nextElementSibling).toHaveTextContent('Active3');
  fireEvent.click(drawing('Lifecycle'));
  expect(onSelect).toHaveBeenLastCalledWith(0);
  point('Lifecycle', 20, 20);
  fireEvent.click(drawing('Lifecycle'));
  expect(onSelect).toHaveBeenLastCalledWith(1);
  point('Lifecycle', 50, 50);
  fireEvent.click(drawing('Lifecycle'));
  expect(onSelect).toHaveBeenCalledTimes(2);
});
