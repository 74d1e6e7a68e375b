import { useTranslation } from 'react-i18next';
import type { BurnDownAxes, BurnDownChartProps, BurnDownPoint, ForecastPoint } from './burn-down.ts';
import { BurnDownDrawing } from './burn-down-drawing.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { type Place, Plot, type Tip } from './plot.tsx';
import { valueAxis } from './value-axis.tsx';

const margin = { top: 28, right: 14, bottom: 20, left: 10 };
/** Shares of the highest value that are drawn below zero. */
const belowZero = { least: 0.1, most: 0.3 };

/** How a quota is used up over time, when it is likely to run out, and what changed its course. */
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

const nearest = (places: readonly BurnDownPoint[], { xOf }: BurnDownAxes, x: number): Place | undefined => {
  const distances = places.map(({ at }) => Math.abs(xOf(at) - x));
  const index = distances.indexOf(Math.min(...distances));
  const place = places[index];
  return place && { index, x: xOf(place.at) };
};
