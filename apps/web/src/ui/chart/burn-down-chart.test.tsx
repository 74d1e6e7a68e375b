import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { BurnDownChart, type BurnDownChartProps } from './index.ts';

const GB = 1024 ** 3;
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
});

const chart = (changes: Partial<BurnDownChartProps> = {}) => (
  <BurnDownChart
    below="over the limit"
    even={{ name: 'even use', value: 100 * GB }}
    forecast={{
      name: 'likely',
      bandName: '80 % band',
      points: [
        { at: 50, value: 30 * GB, low: 30 * GB, high: 30 * GB, text: 'now' },
        { at: 100, value: -20 * GB, low: -40 * GB, high: 5 * GB, text: 'the end' },
      ],
    }}
    height={300}
    label="Burn-down"
    remaining={{
      name: 'left',
      points: [
        { at: 0, value: 100 * GB, text: 'the first day' },
        { at: 50, value: 30 * GB, text: 'now' },
      ],
    }}
    now="now · 30 GB left"
    format={(value) => `${value / GB} GB`}
    span={{ from: 0, to: 100 }}
    ticks={[{ at: 0, text: '1 Nov' }]}
    timeLabel="Time"
    unit="GB"
    {...changes}
  />
);
const figure = () => screen.getByRole('figure', { name: 'Burn-down' });
const parts = (name: string) => [...figure().querySelectorAll(`[data-part="${name}"]`)];
const texts = () => [...figure().querySelectorAll('svg text')].map(({ textContent }) => textContent);

test('the table shows remaining amounts, and the band of the forecast', () => {
  render(chart());
  const rows = within(screen.getByRole('table', { name: 'Burn-down' })).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Timeleft80 % band',
    'the first day100 GB—',
    'now30 GB—',
    'the end-20 GB-40 GB – 5 GB',
  ]);
});

test('the axis extends below zero, with a label for that part', () => {
  render(chart());
  expect(texts()).toEqual(expect.arrayContaining(['-25', '0', '25', '100', 'over the limit', 'even use']));
});

test('no rectangle of a narrow chart has a negative width', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(12);
  render(chart());
  const widths = [...figure().querySelectorAll('svg rect')].map((rect) => Number(rect.getAttribute('width')));
  expect(widths).not.toEqual([]);
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(0);
});

test('provisional usage is hatched', () => {
  const { rerender } = render(chart());
  expect(parts('provisional')).toHaveLength(0);
  rerender(chart({ provisionalFrom: 40 }));
  expect(parts('provisional')[0]?.getAttribute('fill')).toMatch(/^url\(#/);
});

test('marks are drawn on the line, without overlapping labels', () => {
  const marks = [20, 21, 45].map((at) => ({ at, title: `mark ${at}`, tone: 'teal' as const }));
  render(chart({ marks }));
  expect(parts('mark')).toHaveLength(3);
  expect(texts().filter((text) => text?.startsWith('mark'))).toEqual(['mark 20', 'mark 45']);
});

test('the label of the run-out day stays inside the drawing', () => {
  render(
    chart({ end: { at: 99, from: 90, to: 100, title: 'Runs out Fri 27 Nov', detail: '26 – 29 likely' } }),
  );
  const [end] = parts('end');
  const title = within(end as HTMLElement).getByText('Runs out Fri 27 Nov');
  expect(Number(title.getAttribute('x'))).toBeLessThan(540);
});

test('without a forecast there is neither band nor column', () => {
  render(chart({ forecast: undefined }));
  expect(parts('forecast')).toHaveLength(0);
  expect(screen.getAllByRole('columnheader')).toHaveLength(2);
});

/** The first days: the line of now is near the axis, and almost all of the course is a forecast below even use. */
const early = {
  remaining: {
    name: 'left',
    points: [
      { at: 0, value: 100 * GB, text: 'the first day' },
      { at: 4, value: 96 * GB, text: 'now' },
    ],
  },
  forecast: {
    name: 'likely',
    bandName: '80 % band',
    points: [
      { at: 4, value: 96 * GB, low: 96 * GB, high: 96 * GB, text: 'now' },
      { at: 100, value: -12 * GB, low: -16 * GB, high: -8 * GB, text: 'the end' },
    ],
  },
};
const numberOf = (element: Element | null | undefined, name: string): number =>
  Number(element?.getAttribute(name));

test('in the first days no text is on another one, on the line of now, or on the forecast', () => {
  render(chart({ ...early, marks: [{ at: 0, title: 'recovered', tone: 'teal' }] }));
  const now = numberOf(parts('now')[0]?.querySelector('line'), 'x1');
  expect(numberOf(screen.getByText('over the limit'), 'x')).toBeGreaterThan(now);
  const mark = screen.getByText('recovered');
  expect(numberOf(mark, 'x') - 'recovered'.length * 3).toBeGreaterThan(
    numberOf(screen.getByText('100'), 'x'),
  );
  // Above the dotted line, whose other side has the forecast.
  expect(screen.getByText('even use')).toHaveAttribute('text-anchor', 'start');
});
