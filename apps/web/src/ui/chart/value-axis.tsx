import { type ByteUnit, inUnit } from '../../lib/format/index.ts';
import { textWidth } from './labels.ts';
import { niceScale } from './nice-scale.ts';

/** Pixels around the plot area. */
export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The vertical axis: lines at round numbers, and the position of each value. */
export interface ValueAxis {
  /** Label above the axis: its unit. */
  unit: { text: string; y: number };
  steps: { text: string; y: number }[];
  /** Left edge of the plot area. */
  left: number;
  yOf: (value: number) => number;
}

interface Room {
  /** Unit of an axis of bytes; without it, the axis counts whole numbers. */
  unit?: ByteUnit | undefined;
  height: number;
  language: string;
  margin: Margin;
}

/** Smallest maximum of an axis of whole numbers: with less, its lines would be at fractions. */
const minCountRange = 4;

export const valueAxis = (values: readonly number[], { unit, height, language, margin }: Room): ValueAxis => {
  const amountOf = (value: number) => (unit ? inUnit(value, unit) : value);
  const amounts = values.map(amountOf);
  const highest = Math.max(unit ? 0 : minCountRange, ...amounts);
  const min = Math.min(0, ...amounts);
  const { interval, ...scale } = niceScale(Math.max(highest, -min), unit === undefined);
  const max = min < 0 ? Math.ceil(highest / interval - 1e-9) * interval : scale.max;
  const room = height - margin.top - margin.bottom;
  const heightAt = (amount: number) => margin.top + (room * (max - amount)) / (max - min);
  const lowest = Math.ceil(min / interval);
  const steps = Array.from({ length: Math.round(max / interval) - lowest + 1 }, (_, step) => {
    const amount = Number(((lowest + step) * interval).toPrecision(10));
    return {
      // Always grouped: by default, Spanish formats numbers below 10.000 without grouping (7500).
      text: amount.toLocaleString(language, { useGrouping: true }),
      y: heightAt(amount),
    };
  });
  return {
    unit: { text: unit ?? '', y: margin.top - 11 },
    steps,
    left: Math.max(textWidth(unit ?? ''), ...steps.map(({ text }) => textWidth(text))) + margin.left,
    yOf: (value) => heightAt(amountOf(value)),
  };
};

export const ValueLines = ({ axis: { unit, steps, left }, end }: { axis: ValueAxis; end: number }) => (
  <>
    <text textAnchor="end" x={left - 8} y={unit.y}>
      {unit.text}
    </text>
    {steps.map(({ text, y }) => (
      <g key={text}>
        <line stroke="var(--line-soft)" x1={left} x2={end} y1={y} y2={y} />
        <text dy="0.35em" textAnchor="end" x={left - 8} y={y}>
          {text}
        </text>
      </g>
    ))}
  </>
);
