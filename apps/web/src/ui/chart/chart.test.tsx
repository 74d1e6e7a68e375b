import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { BarChart, LineChart, RingChart, ShareChart, StackChart } from './index.ts';

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
    isProvisional={(index) => index === 2}
    label="Daily usage"
    longCategories={['18 Nov', '19 Nov', '20 Nov', '21 Nov']}
    format={read}
    formatBar={(value) => `${value}.0`}
    unfinished={3}
    valueLabel="Used"
    values={[7, 8, 9, 2]}
  />
);
const barsOf = (name: string) => [...drawing(name).querySelectorAll(':scope > svg rect')];

test('the bar of an unfinished period is hatched, a provisional one paler', () => {
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

test('bars are proportional to their values, with the value above and the category below', () => {
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

test('a tooltip shows the exact value under the pointer, until the pointer leaves', () => {
  render(bars);
  point('Daily usage', 250);
  const tip = () => drawing('Daily usage').nextElementSibling?.textContent;
  expect(tip()).toBe('20 Nov9 MB');
  point('Daily usage', 390);
  expect(tip()).toBe('21 Nov (so far)2 MB');
  fireEvent.pointerLeave(drawing('Daily usage'));
  expect(tip()).toBeUndefined();
});

test('a tooltip is on the side with more room', () => {
  render(bars);
  const room = () => drawing('Daily usage').nextElementSibling;
  point('Daily usage', 50);
  expect(room()).not.toHaveAttribute('data-before');
  expect(room()?.firstElementChild).toHaveStyle({ flexBasis: '62px' });
  point('Daily usage', 390);
  expect(room()).toHaveAttribute('data-before');
  expect(room()?.firstElementChild).toHaveStyle({ flexBasis: '62px' });
});

test('bars without room have no width', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(5);
  render(
    <StackChart
      categories={['18']}
      categoryLabel="Day"
      format={read}
      label="Usage"
      provisional={{ name: 'Provisional' }}
      series={[{ name: 'LTE', colour: 'amount', values: [7] }]}
    />,
  );
  const bar = drawing('Usage').querySelector('g[data-bar] rect');
  expect(bar).toHaveAttribute('width', '0');
});

test('the table replaces the drawing on request, also by keyboard', async () => {
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

test('a line is dashed to an unfinished period', () => {
  render(
    <LineChart
      categories={['00', '01', '02']}
      categoryLabel="Hour"
      label="Usage"
      format={read}
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
  const [dashes, dot] = line('today')?.querySelector('[data-so-far]')?.children ?? [];
  expect(dashes).toHaveAttribute('stroke-dasharray', '3 3');
  expect(['x2', 'y2'].map((name) => dashes?.getAttribute(name))).toEqual(
    ['cx', 'cy'].map((name) => dot?.getAttribute(name)),
  );
  // From the end of the line.
  const end = today?.getAttribute('d')?.split('L').at(-1)?.split(',').map(Number);
  expect(['x1', 'y1'].map((name) => Number(dashes?.getAttribute(name)))).toEqual(
    end?.map((value) => expect.closeTo(value, 1)),
  );
  const [yesterday] = paths('yesterday');
  expect(points(yesterday)).toBe(3);
  expect(yesterday).toHaveAttribute('stroke-dasharray', '4 4');
  expect(line('yesterday')?.querySelector('[data-so-far]')).toBeNull();
  expect(screen.getByRole('row', { name: '02 (so far) 1 MB 6 MB' })).toBeInTheDocument();
});

test('on a touch screen the first tap shows the tooltip, and the second opens what it is about', () => {
  const onSelect = vi.fn();
  render(
    <>
      <RingChart
        categoryLabel="Status"
        label="Lifecycle"
        onSelect={onSelect}
        format={String}
        size={100}
        slices={[
          { name: 'Active', value: 3, colour: 'teal' },
          { name: 'Expired', value: 1, colour: 'red' },
        ]}
        valueLabel="SIMs"
      >
        4
      </RingChart>
      <p>elsewhere</p>
    </>,
  );
  const svg = drawing('Lifecycle');
  const tap = (x: number, y: number) => {
    const touch = { clientX: x, clientY: y, pointerType: 'touch' };
    fireEvent.pointerDown(svg, touch);
    fireEvent.pointerUp(svg, touch);
    fireEvent.pointerLeave(svg, touch);
    fireEvent.click(svg);
  };
  const tip = () => svg.nextElementSibling?.textContent;
  tap(95, 50);
  expect([tip(), onSelect.mock.calls]).toEqual(['Active3', []]);
  tap(20, 20);
  expect([tip(), onSelect.mock.calls]).toEqual(['Expired1', []]);
  tap(20, 20);
  expect(onSelect.mock.calls).toEqual([[1]]);
  fireEvent.pointerDown(screen.getByText('elsewhere'), { pointerType: 'touch' });
  expect(tip()).toBeUndefined();
  tap(95, 50);
  fireEvent.pointerCancel(svg, { pointerType: 'touch' });
  expect(tip()).toBeUndefined();
});

test('an empty ring has no slices; slices have the colours of their status, and can be selected', () => {
  const onSelect = vi.fn();
  const ring = (active: number, expired: number) => (
    <RingChart
      categoryLabel="Status"
      label="Lifecycle"
      onSelect={onSelect}
      format={String}
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

test('provisional values are hatched, and their period is shaded', () => {
  const chart = (from: number | undefined) => (
    <StackChart
      previous={{ name: 'before', values: [4, 4] }}
      categories={['21', '22']}
      categoryLabel="Day"
      label="Volume"
      provisional={{ name: 'provisional', from }}
      format={read}
      series={[{ name: 'Up', colour: 'teal', values: [4, 4], provisional: [2, 4] }]}
      unit="B"
    />
  );
  const { rerender } = render(chart(0.5));
  const fills = [...drawing('Volume').querySelectorAll('[data-bar] rect')].map(attribute('fill'));
  expect(fills).toEqual(['var(--teal)', expect.stringMatching(/^url\(#/), expect.stringMatching(/^url\(#/)]);
  const shade = () => drawing('Volume').querySelector('[data-provisional] rect');
  const [start = 0, length = 0] = ['x', 'width'].map((name) => Number(shade()?.getAttribute(name)));
  expect(start + length).toBe(width - 6);
  // From the middle of the first of two bars on.
  const bars = [...drawing('Volume').querySelectorAll('[data-bar] rect')].map((bar) =>
    Number(bar.getAttribute('x')),
  );
  expect(length).toBeCloseTo(((bars[2] ?? 0) - (bars[0] ?? 0)) * 1.5);
  rerender(chart(undefined));
  expect(shade()).toBeNull();
});

test('stacked bars show their totals, except for zero', () => {
  render(
    <StackChart
      categories={['Sep', 'Oct', 'Nov']}
      categoryLabel="Month"
      label="Bills"
      provisional={{ name: 'open' }}
      format={read}
      formatTotal={(value, index) => (index === 2 ? `≈ ${value}` : String(value))}
      series={[
        { name: 'Fees', colour: 'amount', values: [3, 0, 2] },
        { name: 'Usage', colour: 'teal', values: [1, 0, 3], provisional: [0, 0, 3] },
      ]}
    />,
  );
  const totals = [...drawing('Bills').querySelectorAll('[data-total]')].map((one) => one.textContent);
  expect(totals).toEqual(['4', '≈ 5']);
});

test('periods with the same name are drawn once each, also after others replace them', () => {
  const errorSpy = vi.spyOn(console, 'error');
  const charts = (hours: string[]) => {
    const values = hours.map((_, index) => index + 1);
    const common = { categories: hours, categoryLabel: 'Hour', format: read };
    return (
      <>
        <StackChart
          {...common}
          label="Stacked"
          provisional={{ name: 'open' }}
          formatTotal={String}
          series={[{ name: 'Up', colour: 'teal', values }]}
        />
        <BarChart {...common} formatBar={String} label="Bars" valueLabel="Used" values={values} />
        <LineChart {...common} label="Line" series={[{ name: 'Up', colour: 'amount', values }]} unit="B" />
        <ShareChart
          {...common}
          formatShare={String}
          hrefOf={() => '/'}
          label="Shares"
          linkOf={() => ({ href: '/', text: 'rows' })}
          onOpen={() => undefined}
          series={[{ name: 'Up', colour: 'teal', values }]}
        />
      </>
    );
  };
  const { rerender } = render(charts(['14', '15', '14', '15', '14']));
  rerender(charts(['15', '14', '15']));
  expect(drawing('Stacked').querySelectorAll('[data-bar]')).toHaveLength(3);
  expect(drawing('Shares').querySelectorAll('rect')).toHaveLength(3);
  for (const name of ['Stacked', 'Bars', 'Line'])
    expect(
      [...drawing(name).querySelectorAll('text')]
        .map(({ textContent }) => textContent)
        .filter((text) => /^1[45]$/.test(text)),
    ).toEqual(['15', '14', '15']);
  for (const name of ['Stacked', 'Bars', 'Line', 'Shares'])
    expect(within(screen.getByRole('table', { name })).getAllByRole('row')).toHaveLength(4);
  expect(errorSpy.mock.calls.flat().filter((one) => /same key/.test(String(one)))).toEqual([]);
});

test('negative parts of a bar are below zero, and count in its total', () => {
  render(
    <StackChart
      categories={['Oct', 'Nov']}
      categoryLabel="Month"
      label="Bills"
      provisional={{ name: 'open', ofPeriods: true }}
      format={read}
      formatTotal={String}
      series={[
        { name: 'Bundles', colour: 'amount', values: [150, 0] },
        { name: 'Corrections', colour: 'red', values: [-50, -20], provisional: [0, -20] },
      ]}
    />,
  );
  const boxes = [...drawing('Bills').querySelectorAll('[data-bar] rect')].map((bar) =>
    ['y', 'height'].map((name) => Number(bar.getAttribute(name))),
  );
  const [[top = 0, high = 0] = [], [below = 0, low = 0] = [], [open = 0] = []] = boxes;
  expect(below).toBeCloseTo(top + high);
  expect(open).toBeCloseTo(below);
  expect(low / high).toBeCloseTo(50 / 150);
  const totals = [...drawing('Bills').querySelectorAll('[data-total]')].map((one) => one.textContent);
  expect(totals).toEqual(['100', '-20']);
  expect(screen.getByRole('row', { name: 'Oct 150 MB -50 MB' })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: 'Nov · open 0 MB -20 MB' })).toBeInTheDocument();
});

test('shares open their rows on click, and the table links each period', async () => {
  const onOpen = vi.fn();
  const { user } = renderScreen(
    <ShareChart
      categories={['21 Nov', '22 Nov']}
      categoryLabel="Day"
      hrefOf={(day) => `/${day}`}
      label="Radio"
      linkOf={(day, radio) => ({ href: `/${day}/${radio}`, text: 'rows' })}
      onOpen={onOpen}
      format={read}
      formatShare={(share) => `${share * 100} %`}
      series={[
        { name: '4G', colour: 'amount', values: [3, 0] },
        { name: '5G', colour: 'teal', values: [1, 0] },
      ]}
    />,
  );
  await screen.findByRole('figure', { name: 'Radio' });
  // A quarter of 66 px is above; a day without data has no part.
  expect(drawing('Radio').querySelectorAll('rect')).toHaveLength(2);
  point('Radio', 10, 8);
  expect(drawing('Radio').nextElementSibling?.textContent).toBe('21 Nov5G25 %1 MBrows');
  fireEvent.click(drawing('Radio'));
  expect(onOpen).toHaveBeenLastCalledWith('/0/1');
  point('Radio', 10, 60);
  fireEvent.click(drawing('Radio'));
  expect(onOpen).toHaveBeenLastCalledWith('/0/0');
  point('Radio', 390, 60);
  expect(drawing('Radio').nextElementSibling).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show as table' }));
  expect(screen.getByRole('link', { name: '22 Nov' })).toHaveAttribute('href', '/1');
});
