import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { BarChart } from './index.ts';

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
});

const drawing = (): SVGSVGElement => {
  const svg = screen.getByRole('figure').querySelector('svg');
  if (!svg) throw new Error('nothing is drawn');
  return svg;
};

test('more bars than there is room for values have an axis instead, and the tooltip finds them beside it', () => {
  const hours = Array.from({ length: 48 }, (_, index) => index);
  render(
    <BarChart
      categories={hours.map((hour) => (hour % 24 === 0 ? `day ${hour / 24}` : ''))}
      categoryLabel="Hour"
      format={(value) => `${value} B`}
      formatBar={String}
      label="By hour"
      longCategories={hours.map((hour) => `hour ${hour}`)}
      unit="MB"
      valueLabel="Used"
      values={hours.map((hour) => hour * 1024 ** 2)}
    />,
  );
  const texts = [...drawing().querySelectorAll('text')].map((text) => text.textContent);
  expect(texts).toEqual(['MB', '0', '10', '20', '30', '40', '50', 'day 0', 'day 1']);
  const [first] = [...drawing().querySelectorAll(':scope > svg rect')];
  const left = Number(first?.getAttribute('x'));
  expect(left).toBeGreaterThan(20);
  fireEvent.pointerMove(drawing(), { clientX: 10, clientY: 50 });
  expect(drawing().nextElementSibling).toBeNull();
  fireEvent.pointerMove(drawing(), { clientX: left + 1, clientY: 50 });
  expect(drawing().nextElementSibling?.textContent).toContain('hour 0');
});
