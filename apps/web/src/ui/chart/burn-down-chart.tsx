import { useTranslation } from 'react-i18next';
import type { ByteUnit } from '../../lib/format/index.ts';
import type { Tone } from '../status/index.ts';
import { BurnDownDrawing } from './burn-down-drawing.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { type Place, Plot, type Tip } from './plot.tsx';
import { type ValueAxis, valueAxis } from './value-axis.tsx';

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

const margin = { top: 28, right: 14, bottom: 20, left: 10 };
/** Shares of the highest value that are drawn below zero. */
const belowZero = { least: 0.1, most: 0.3 };

/** How something that is used up goes down in time, when it is likely to be gone, and what changed its course. */
export const BurnDownChart = (props: BurnDownChartProps) => {
  const { label, timeLabel, left, forecast, read, height = 290 } = props;
  const { language } = useTranslation().i18n;
  const places: readonly (BurnDownPoint & Partial<ForecastPoint>)[] = [
    ...left.points,
    ...(forecast?.points.slice(1) ?? []),
  ];
  const band = ({ low, high }: Partial<ForecastPoint>): string =>
    low === undefined || high === undefined ? '—' : `${read(low)} – ${read(high)}`;
  const tipOf = (index: number): Tip => {
    const place = places[index];
    if (!place) return { title: '', lines: [] };
    const isForecast = place.low !== undefined;
    return {
      title: place.text,
      lines: [
        { label: isForecast ? (forecast?.name ?? '') : left.name, value: read(place.value) },
        ...(isForecast ? [{ label: forecast?.bandName ?? '', value: band(place) }] : []),
      ],
    };
  };
  return (
    <ChartFigure
      columns={[timeLabel, left.name, ...(forecast ? [forecast.bandName] : [])]}
      height={height}
      label={label}
      rows={places.map((place) => [place.text, read(place.value), ...(forecast ? [band(place)] : [])])}
    >
      <Plot
        height={height}
        placeAt={({ x }, width) => nearest(places, axesOf(props, { width, height, language }), x)}
        tipOf={tipOf}
      >
        {({ width, pointed }) => (
          <BurnDownDrawing {...props} axes={axesOf(props, { width, height, language })} pointed={pointed} />
        )}
      </Plot>
    </ChartFigure>
  );
};

const axesOf = (
  { left, even, forecast, span, unit }: BurnDownChartProps,
  { width, height, language }: { width: number; height: number; language: string },
): BurnDownAxes => {
  const values = [
    ...left.points.map(({ value }) => value),
    ...(forecast?.points.flatMap(({ low, high }) => [low, high]) ?? []),
    even?.value ?? 0,
  ];
  const most = Math.max(1, ...values);
  const least = Math.max(-belowZero.most * most, Math.min(-belowZero.least * most, ...values));
  const axis = valueAxis([...values.filter((value) => value >= 0), least], {
    unit,
    height,
    language,
    margin,
  });
  const right = width - margin.right;
  const share = (at: number): number => (at - span.from) / Math.max(1, span.to - span.from);
  return {
    ...axis,
    xOf: (at) => axis.left + share(at) * (right - axis.left),
    right,
    top: margin.top,
    bottom: height - margin.bottom,
  };
};

const nearest = (places: readonly BurnDownPoint[], { xOf }: BurnDownAxes, x: number): Place | undefined => {
  const distances = places.map(({ at }) => Math.abs(xOf(at) - x));
  const index = distances.indexOf(Math.min(...distances));
  const place = places[index];
  return place && { index, x: xOf(place.at) };
};
