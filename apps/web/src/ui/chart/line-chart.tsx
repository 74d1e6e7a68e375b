import { area, line } from 'd3-shape';
import { useTranslation } from 'react-i18next';
import type { ByteUnit } from '../../lib/format/index.ts';
import { ChartFigure } from './chart-figure.tsx';
import { evenlySpaced, keysOf } from './labels.ts';
import { type Place, Plot } from './plot.tsx';
import { usePeriodLabels } from './use-period-labels.ts';
import { type ValueAxis, ValueLines, valueAxis } from './value-axis.tsx';

export interface LineSeries {
  name: string;
  /** Null if the value is not known (yet). */
  values: readonly (number | null)[];
  /** An amount, or the values that it is compared with. */
  colour: 'amount' | 'grey';
  dashed?: boolean;
  area?: boolean;
  /** The period of the last value is still running: the line to it is dashed, because it is incomplete. */
  unfinished?: boolean;
}

export interface LineChartProps {
  label: string;
  /** The unit of the horizontal axis, used as the data table's first heading. */
  categoryLabel: string;
  categories: readonly string[];
  /** Long names, for the tooltip and the data table. */
  longCategories?: readonly string[];
  series: readonly LineSeries[];
  /** Formats an exact value as text. */
  format: (value: number) => string;
  /** Unit of the axis, whose lines are at round numbers of it. */
  unit: ByteUnit;
  height?: number;
  /** Whether a category gets a label; all do by default. */
  hasLabel?: (index: number) => boolean;
}

const margin = { top: 28, right: 14, bottom: 20, left: 10 };

/** Maps values and periods to positions in the drawing. */
interface Axes extends ValueAxis {
  xOf: (index: number) => number;
}

export const LineChart = (props: LineChartProps) => {
  const { label, categoryLabel, categories, series, format, height = 250 } = props;
  const { language } = useTranslation().i18n;
  const isRunning = series.some(({ unfinished }) => unfinished);
  const periods = usePeriodLabels(
    props.longCategories ?? categories,
    isRunning ? categories.length - 1 : undefined,
  );
  return (
    <ChartFigure
      columns={[categoryLabel, ...series.map(({ name }) => name)]}
      height={height}
      label={label}
      rows={periods.map((period, index) => [
        period,
        ...series.map(({ values }) => formatOrDash(values[index], format)),
      ])}
    >
      <Plot
        height={height}
        placeAt={({ x }, width) => nearest(categories.length, axesOf(props, { width, height, language }), x)}
        tipOf={(index) => ({
          title: periods[index] ?? '',
          lines: series.map(({ name, values }) => ({
            label: name,
            value: formatOrDash(values[index], format),
          })),
        })}
      >
        {({ width, hovered }) => (
          <Lines
            {...props}
            axes={axesOf(props, { width, height, language })}
            height={height}
            hovered={hovered}
            width={width}
          />
        )}
      </Plot>
    </ChartFigure>
  );
};

const formatOrDash = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '—' : format(value);

const axesOf = (
  { series, unit, categories }: LineChartProps,
  { width, height, language }: { width: number; height: number; language: string },
): Axes => {
  const values = series.flatMap((one) => one.values.map((value) => value ?? 0));
  const axis = valueAxis(values, { unit, height, language, margin });
  const stride = (width - axis.left - margin.right) / Math.max(1, categories.length - 1);
  return { ...axis, xOf: (index) => axis.left + index * stride };
};

const nearest = (count: number, { xOf }: Axes, x: number): Place | undefined => {
  if (count === 0) return undefined;
  const stride = count > 1 ? xOf(1) - xOf(0) : 1;
  const index = Math.min(count - 1, Math.max(0, Math.round((x - xOf(0)) / stride)));
  return { index, x: xOf(index) };
};

const Lines = ({
  categories,
  series,
  hasLabel = () => true,
  axes,
  width,
  height,
  hovered,
}: LineChartProps & { axes: Axes; width: number; height: number; hovered: Place | undefined }) => {
  const { xOf } = axes;
  const labels = categories.map((text, index) => ({ text: hasLabel(index) ? text : '', x: xOf(index) }));
  const shown = evenlySpaced(labels);
  const keys = keysOf(categories);
  return (
    <>
      <ValueLines axis={axes} end={width - margin.right} />
      {labels.map(({ text, x }, index) =>
        shown.has(index) ? (
          <text key={keys[index]} textAnchor="middle" x={x} y={height - 5}>
            {text}
          </text>
        ) : null,
      )}
      {hovered ? (
        <line
          stroke="var(--line-strong)"
          strokeDasharray="2 3"
          x1={hovered.x}
          x2={hovered.x}
          y1={margin.top}
          y2={height - margin.bottom}
        />
      ) : null}
      {/* Reversed, so that the first series is drawn on top. */}
      {series.toReversed().map((one) => (
        <Line axes={axes} key={one.name} hovered={hovered} series={one} />
      ))}
    </>
  );
};

const Line = ({ series, axes, hovered }: { series: LineSeries; axes: Axes; hovered: Place | undefined }) => {
  const { values, colour, dashed = false, unfinished = false } = series;
  const { xOf, yOf } = axes;
  const last = values.length - 1;
  const finished = unfinished ? values.slice(0, last) : values;
  const isKnown = (value: number | null) => value !== null;
  const x = (_: number | null, index: number) => xOf(index);
  const y = (value: number | null) => yOf(value ?? 0);
  const stroke = `var(--${colour})`;
  const lastWhole = values[last - 1];
  const runningValue = unfinished ? values[last] : undefined;
  const at = hovered && !(unfinished && hovered.index === last) ? values[hovered.index] : undefined;
  return (
    <g data-series={series.name} fill="none" stroke={stroke} strokeLinejoin="round">
      {series.area ? (
        <path
          d={area<number | null>().defined(isKnown).x(x).y0(yOf(0)).y1(y)(finished) ?? undefined}
          fill={stroke}
          fillOpacity="0.1"
          stroke="none"
        />
      ) : null}
      <path
        d={line<number | null>().defined(isKnown).x(x).y(y)(finished) ?? undefined}
        strokeDasharray={dashed ? '4 4' : undefined}
        strokeWidth={dashed ? 1.5 : 1.8}
      />
      {runningValue === undefined || runningValue === null ? null : (
        <g data-so-far="true">
          {lastWhole === undefined || lastWhole === null ? null : (
            <line
              strokeDasharray="3 3"
              strokeWidth="1.8"
              x1={xOf(last - 1)}
              x2={xOf(last)}
              y1={yOf(lastWhole)}
              y2={yOf(runningValue)}
            />
          )}
          <circle cx={xOf(last)} cy={yOf(runningValue)} fill="var(--surface)" r="3" strokeWidth="1.5" />
        </g>
      )}
      {hovered && at !== undefined && at !== null ? (
        <circle cx={hovered.x} cy={yOf(at)} fill={stroke} r="3" />
      ) : null}
    </g>
  );
};
