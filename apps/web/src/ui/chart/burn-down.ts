import type { ByteUnit } from '../../lib/format/index.ts';
import type { Tone } from '../status/index.ts';
import { textWidth } from './labels.ts';
import type { ValueAxis } from './value-axis.tsx';

export interface BurnDownPoint {
  /** Milliseconds since 1970. */
  at: number;
  /** Negative: the amount used beyond the quota. */
  value: number;
  /** The instant as text. */
  text: string;
}

/** The expected remaining amount, with its lower and upper bound. */
export interface ForecastPoint extends BurnDownPoint {
  low: number;
  high: number;
}

export interface BurnDownChartProps {
  label: string;
  /** The unit of the horizontal axis, used as the data table's first heading. */
  timeLabel: string;
  /** Start and end, in milliseconds since 1970. */
  span: { from: number; to: number };
  ticks: readonly { at: number; text: string }[];
  /** The remaining amount, oldest first; the last point is now. */
  remaining: { name: string; points: readonly BurnDownPoint[] };
  /** From this instant on, values may still change. */
  provisionalFrom?: number | undefined;
  /** The amount that would remain if the same amount was used on every day. */
  even?: { name: string; value: number } | undefined;
  /** The first point is now. */
  forecast?: { name: string; bandName: string; points: readonly ForecastPoint[] } | undefined;
  /** When the remaining amount is expected to reach zero, with the earliest and latest instant. */
  end?: { at: number; from: number; to: number; title: string; detail?: string | undefined } | undefined;
  /** Events that changed the course. */
  marks?: readonly { at: number; title: string; tone: Tone }[];
  now: string;
  /** What it means to be below zero. */
  below: string;
  /** Formats an exact value as text. */
  format: (value: number) => string;
  /** Unit of the axis, whose lines are at round numbers of it. */
  unit: ByteUnit;
  height?: number;
}

/** Maps values and instants to positions in the drawing. */
export interface BurnDownAxes extends ValueAxis {
  xOf: (at: number) => number;
  right: number;
  top: number;
  bottom: number;
}

/** Interpolates between two points; constant before the first and after the last. */
export const valueAt = (points: readonly BurnDownPoint[], at: number): number => {
  const after = points.findIndex((point) => point.at >= at);
  const [before, next] = [points[after - 1], points[after]];
  if (!next) return points.at(-1)?.value ?? 0;
  if (!before) return next.value;
  const share = (at - before.at) / (next.at - before.at);
  return before.value + share * (next.value - before.value);
};

/** Possible starts of the name of even use, as shares of the span, in order of preference. */
const namePositions = [0.58, 0.5, 0.66, 0.4, 0.74, 0.3, 0.2];
/** Pixels between the name and everything else in the drawing. */
const nameGap = 12;

/** A position where the name of even use overlaps neither the remaining or expected amount nor a mark; undefined if there is none. */
export const positionOfName = ({
  axes: { xOf, yOf, left, right },
  name,
  value,
  span: { from, to },
  points,
  forecast,
  marks,
}: {
  axes: BurnDownAxes;
  name: string;
  value: number;
  span: BurnDownChartProps['span'];
  points: readonly BurnDownPoint[];
  forecast: readonly ForecastPoint[];
  marks: readonly { at: number }[];
}): { x: number; y: number; anchor: 'start' | 'end' } | undefined => {
  const width = textWidth(name);
  const later = forecast.slice(1);
  const course = [...points, ...later];
  const lowest = [...points, ...later.map((point) => ({ ...point, value: point.low }))];
  const highest = [...points, ...later.map((point) => ({ ...point, value: point.high }))];
  for (const part of namePositions) {
    const at = from + part * (to - from);
    const there = value * (1 - part);
    // The line falls: there is room above it to the right, and below it to the left.
    const isBelow = valueAt(course, at) > there;
    const [x, y] = [xOf(at), yOf(there) + (isBelow ? 14 : -8)];
    const [start, end] = isBelow ? [x - width, x] : [x, x + width];
    const isWithin = start > left && end < right;
    const instants = [0, 0.25, 0.5, 0.75, 1].map((share) => start + share * width);
    const touchesLine = instants
      .map(instantAt)
      .some(
        (instant) =>
          y > yOf(valueAt(highest, instant)) - nameGap && y < yOf(valueAt(lowest, instant)) + nameGap,
      );
    const touchesMark = marks.some((mark) => xOf(mark.at) > start - 40 && xOf(mark.at) < end + 40);
    if (isWithin && !touchesLine && !touchesMark) return { x, y, anchor: isBelow ? 'end' : 'start' };
  }
  return undefined;

  function instantAt(pixel: number): number {
    return from + ((pixel - xOf(from)) / (xOf(to) - xOf(from))) * (to - from);
  }
};
