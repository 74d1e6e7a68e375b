import { useTranslation } from 'react-i18next';
import type { BurnDownAxes, BurnDownChartProps, BurnDownPoint, ForecastPoint } from './burn-down.ts';
import { BurnDownDrawing } from './burn-down-drawing.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { type Place, Plot, type Tip } from './plot.tsx';
import { valueAxis } from './value-axis.tsx';

const margin = { top: 28, right: 14, bottom: 20, left: 10 };
/** Shares of the highest value that are drawn below zero. */
const belowZero = { min: 0.1, max: 0.3 };

/** How a quota is used up over time, when it is likely to run out, and what changed its course. */
export const BurnDownChart = (props: BurnDownChartProps) => {
  const { label, timeLabel, remaining, forecast, format, height = 290 } = props;
  const { language } = useTranslation().i18n;
  const points: readonly (BurnDownPoint & Partial<ForecastPoint>)[] = [
    ...remaining.points,
    ...(forecast?.points.slice(1) ?? []),
  ];
  const band = ({ low, high }: Partial<ForecastPoint>): string =>
    low === undefined || high === undefined ? '—' : `${format(low)} – ${format(high)}`;
  const tipOf = (index: number): Tip => {
    const point = points[index];
    if (!point) return { title: '', lines: [] };
    const isForecast = point.low !== undefined;
    return {
      title: point.text,
      lines: [
        { label: isForecast ? (forecast?.name ?? '') : remaining.name, value: format(point.value) },
        ...(isForecast ? [{ label: forecast?.bandName ?? '', value: band(point) }] : []),
      ],
    };
  };
  return (
    <ChartFigure
      columns={[timeLabel, remaining.name, ...(forecast ? [forecast.bandName] : [])]}
      height={height}
      label={label}
      rows={points.map((point) => [point.text, format(point.value), ...(forecast ? [band(point)] : [])])}
    >
      <Plot
        height={height}
        placeAt={({ x }, width) => nearest(points, axesOf(props, { width, height, language }), x)}
        tipOf={tipOf}
      >
        {({ width, hovered }) => (
          <BurnDownDrawing {...props} axes={axesOf(props, { width, height, language })} hovered={hovered} />
        )}
      </Plot>
    </ChartFigure>
  );
};

const axesOf = (
  { remaining, even, forecast, span, unit }: BurnDownChartProps,
  { width, height, language }: { width: number; height: number; language: string },
): BurnDownAxes => {
  const values = [
    ...remaining.points.map(({ value }) => value),
    ...(forecast?.points.flatMap(({ low, high }) => [low, high]) ?? []),
    even?.value ?? 0,
  ];
  const max = Math.max(1, ...values);
  const min = Math.max(-belowZero.max * max, Math.min(-belowZero.min * max, ...values));
  const axis = valueAxis([...values.filter((value) => value >= 0), min], {
    unit,
    height,
    language,
    margin,
  });
  // While a page is being shown again, the box is briefly narrower than the axis.
  const right = Math.max(axis.left, width - margin.right);
  const share = (at: number): number => (at - span.from) / Math.max(1, span.to - span.from);
  return {
    ...axis,
    xOf: (at) => axis.left + share(at) * (right - axis.left),
    right,
    top: margin.top,
    bottom: height - margin.bottom,
  };
};

const nearest = (points: readonly BurnDownPoint[], { xOf }: BurnDownAxes, x: number): Place | undefined => {
  const distances = points.map(({ at }) => Math.abs(xOf(at) - x));
  const index = distances.indexOf(Math.min(...distances));
  const point = points[index];
  return point && { index, x: xOf(point.at) };
};
