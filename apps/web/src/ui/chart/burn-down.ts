import type { ByteUnit } from '../../lib/format/index.ts';
import type { Tone } from '../status/index.ts';
import { textWidth } from './labels.ts';
import type { ValueAxis } from './value-axis.tsx';

export interface BurnDownPoint {
  /** Milliseconds since 1970. */
  at: number;
  /** Negative: so much more than there was. */
  value: number;
  /** When that is, in words. */
  text: string;
}

/** What is likely to be left, and the least and most of it. */
export interface ForecastPoint extends BurnDownPoint {
  low: number;
  high: number;
}

export interface BurnDownChartProps {
  label: string;
  /** What the horizontal axis counts, as the data table's first heading. */
  timeLabel: string;
  /** From when to when, in milliseconds since 1970. */
  span: { from: number; to: number };
  ticks: readonly { at: number; text: string }[];
  /** What was left, the oldest first; the last point is now. */
  left: { name: string; points: readonly BurnDownPoint[] };
  /** From when on it may still change. */
  provisionalFrom?: number | undefined;
  /** How much would be left if as much was used on every day. */
  even?: { name: string; value: number } | undefined;
  /** The first point is now. */
  forecast?: { name: string; bandName: string; points: readonly ForecastPoint[] } | undefined;
  /** When nothing is likely to be left, and between when and when. */
  end?: { at: number; from: number; to: number; title: string; detail?: string | undefined } | undefined;
  /** What happened, where it changed the course. */
  marks?: readonly { at: number; title: string; tone: Tone }[];
  now: string;
  /** What it means to be below zero. */
  below: string;
  /** An exact value in words. */
  read: (value: number) => string;
  /** The axis counts in this unit, so that its lines stand at round numbers of it. */
  unit: ByteUnit;
  height?: number;
}

/** Where values and instants stand in the drawing. */
export interface BurnDownAxes extends ValueAxis {
  xOf: (at: number) => number;
  right: number;
  top: number;
  bottom: number;
}

/** On the line between two points; before the first and after the last it is level. */
export const valueAt = (points: readonly BurnDownPoint[], at: number): number => {
  const after = points.findIndex((point) => point.at >= at);
  const [before, next] = [points[after - 1], points[after]];
  if (!next) return points.at(-1)?.value ?? 0;
  if (!before) return next.value;
  const share = (at - before.at) / (next.at - before.at);
  return before.value + share * (next.value - before.value);
};

/** Where in the span the name of even use may begin, the best first. */
const namePlaces = [0.58, 0.5, 0.66, 0.4, 0.74, 0.3, 0.2];
/** Pixels between the name and what else is drawn. */
const nameGap = 12;

/** Where the name of even use touches neither what was left nor a mark; nowhere if there is no such place. */
export const placeOfName = ({
  axes: { xOf, yOf, left, right },
  name,
  value,
  span: { from, to },
  points,
  marks,
}: {
  axes: BurnDownAxes;
  name: string;
  value: number;
  span: BurnDownChartProps['span'];
  points: readonly BurnDownPoint[];
  marks: readonly { at: number }[];
}): { x: number; y: number; anchor: 'start' | 'end' } | undefined => {
  const width = textWidth(name);
  for (const part of namePlaces) {
    const at = from + part * (to - from);
    const there = value * (1 - part);
    // The line falls: over it, a text has room to the right, under it to the left.
    const isBelow = valueAt(points, at) > there;
    const [x, y] = [xOf(at), yOf(there) + (isBelow ? 14 : -8)];
    const [start, end] = isBelow ? [x - width, x] : [x, x + width];
    const isWithin = start > left && end < right;
    const instants = [0, 0.25, 0.5, 0.75, 1].map((share) => start + share * width);
    const touchesLine = instants.some(
      (pixel) => Math.abs(yOf(valueAt(points, instantAt(pixel))) - y) < nameGap,
    );
    const touchesMark = marks.some((mark) => xOf(mark.at) > start - 40 && xOf(mark.at) < end + 40);
    if (isWithin && !touchesLine && !touchesMark) return { x, y, anchor: isBelow ? 'end' : 'start' };
  }
  return undefined;

  function instantAt(pixel: number): number {
    return from + ((pixel - xOf(from)) / (xOf(to) - xOf(from))) * (to - from);
  }
};
