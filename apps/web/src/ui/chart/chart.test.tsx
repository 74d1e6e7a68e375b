import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { stillChart } from '../../testing/still-chart.ts';
import { palettes } from '../theme/tokens.ts';
import { BarChart, LineChart, RingChart } from './index.ts';

/** What was drawn last. */
let drawn: Drawn = { series: [] };
interface Drawn {
  tooltip?: { show?: boolean };
  series: {
    id: string;
    silent?: boolean;
    lineStyle?: { type: unknown; color: string };
    areaStyle?: unknown;
    data: unknown[];
  }[];
}
vi.mock('./echarts.ts', () => ({
  init: () => ({ ...stillChart.init(), setOption: (option: Drawn) => (drawn = option) }),
}));
beforeEach(() => {
  drawn = { series: [] };
});

const { amount, amountFaded, track, teal, red } = palettes.light;
const read = (value: number) => `${value} MB`;

const bars = (
  <BarChart
    categories={['18', '19', '20', '21']}
    categoryLabel="Day"
    isPale={(index) => index === 2}
    label="Daily usage"
    longCategories={['18 Nov', '19 Nov', '20 Nov', '21 Nov']}
    read={read}
    readBar={String}
    unfinished={3}
    valueLabel="Used"
    values={[7, 8, 9, 2]}
  />
);

test('the bar of a period that still runs is hatched, one that may change is paler', async () => {
  render(bars);
  await waitFor(() => expect(drawn.series).toHaveLength(1));
  const styles = drawn.series[0]?.data.map((bar) => (bar as { itemStyle: object }).itemStyle);
  expect(styles).toEqual([
    { color: amount },
    { color: amount },
    { color: amountFaded },
    { color: amountFaded, decal: expect.objectContaining({ color: amount }) },
  ]);
  const rows = within(screen.getByRole('table', { name: 'Daily usage' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayUsed',
    '18 Nov7 MB',
    '19 Nov8 MB',
    '20 Nov9 MB',
    '21 Nov (so far)2 MB',
  ]);
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

test('the way to a value whose period still runs is dashed, under no area', async () => {
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
  await waitFor(() => expect(drawn.series).toHaveLength(3));
  const [whole, soFar, before] = drawn.series;
  expect(whole).toMatchObject({ data: [5, 6, null], lineStyle: { type: 'solid', color: amount } });
  expect(whole?.areaStyle).toBeDefined();
  expect(soFar).toMatchObject({ data: [null, 6, 1], lineStyle: { type: [4, 4], color: amount } });
  expect(soFar?.areaStyle).toBeUndefined();
  expect(before).toMatchObject({ data: [4, 5, 6] });
  expect(screen.getByRole('row', { name: '02 (so far) 1 MB 6 MB' })).toBeInTheDocument();
});

test('a ring of nothing is empty; its parts have the colours of their status', async () => {
  const ring = (active: number, expired: number) => (
    <RingChart
      categoryLabel="Status"
      label="Lifecycle"
      read={String}
      slices={[
        { name: 'Active', value: active, colour: 'teal' },
        { name: 'Expired', value: expired, colour: 'red' },
      ]}
      valueLabel="SIMs"
    >
      {active + expired}
    </RingChart>
  );
  const { rerender } = render(ring(0, 0));
  await waitFor(() => expect(drawn.series).toHaveLength(1));
  expect(drawn).toMatchObject({
    tooltip: { show: false },
    series: [{ silent: true, data: [{ value: 1, itemStyle: { color: track } }] }],
  });
  rerender(ring(3, 1));
  await waitFor(() => expect(drawn.series[0]?.data).toHaveLength(2));
  expect(drawn).toMatchObject({
    tooltip: { show: true },
    series: [{ silent: false, data: [{ itemStyle: { color: teal } }, { itemStyle: { color: red } }] }],
  });
});
