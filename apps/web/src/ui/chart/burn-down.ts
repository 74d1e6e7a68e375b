import type { ByteUnit } from '../../lib/format/index.ts';
import type { Tone } from '../status/index.ts';
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
  end?: { at: number; from: number; to: number; title: string; detail: string } | undefined;
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
