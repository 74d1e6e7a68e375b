import { line } from 'd3-shape';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ByteUnit } from '../../lib/format/index.ts';
import { ChartFigure } from './chart-figure.tsx';
import { evenlySpaced, keysOf, textWidth, visibleAboveBars } from './labels.ts';
import { Hatching, type StackColour } from './legend.tsx';
import { Plot, type Tip } from './plot.tsx';
import { usePeriodLabels } from './use-period-labels.ts';
import { type ValueAxis, ValueLines, valueAxis } from './value-axis.tsx';

export interface StackSeries {
  name: string;
  colour: StackColour;
  /** Negative values are below zero. */
  values: readonly number[];
  /** The portion of each value that may still change: hatched. */
  provisional?: readonly number[];
}

export interface StackChartProps {
  label: string;
  categoryLabel: string;
  categories: readonly string[];
  longCategories?: readonly string[];
  /** From the bottom up. */
  series: readonly StackSeries[];
  /** The totals of another period, as a dashed line. */
  previous?: { name: string; values: readonly (number | null)[] } | undefined;
  /**
   * The name of the hatched parts, and where provisional values begin: in periods from the start of the first one (`2.5` is the
   * middle of the third). The area from there on is shaded. If periods are either provisional or final as a whole, the period
   * itself is marked: listing a sum next to its parts would count them twice.
   */
  provisional: { name: string; from?: number | undefined; ofPeriods?: boolean };
  /** Index of the period that is still running. */
  unfinished?: number | undefined;
  format: (value: number) => string;
  /** Formats the total above a bar; no totals by default. */
  formatTotal?: ((value: number, index: number) => string) | undefined;
  /** Unit of an axis of bytes; without it, the axis counts whole numbers. */
  unit?: ByteUnit | undefined;
  /** Link of a bar: opened by a click, shown in the tooltip and in the table. */
  linkOf?: ((index: number) => { href: string; text: string } | undefined) | undefined;
  onOpen?: ((href: string) => void) | undefined;
  height?: number;
}

const margin = { top: 24, right: 6, bottom: 20, left: 10 };
const maxBarWidth = 38;

/** Amounts by period, each divided into parts. */
export const StackChart = (props: StackChartProps) => {
  const { label, categoryLabel, categories, series, previous, format, linkOf, onOpen, height = 260 } = props;
  const provisionalName = props.provisional.name;
  const { language } = useTranslation().i18n;
  const { ofPeriods = false } = props.provisional;
  const periods = usePeriodLabels(props.longCategories ?? categories, props.unfinished).map(
    (period, index) =>
      ofPeriods && provisionalOf(series, index) !== 0 ? `${period} · ${provisionalName}` : period,
  );
  const axis = axisOf(props, { height, language });
  const hasProvisional = !ofPeriods && series.some((one) => one.provisional);
  const linesOf = (index: number): { label: string; value: string }[] => [
    ...series.map(({ name, values }) => ({ label: name, value: format(values[index] ?? 0) })),
    ...(hasProvisional ? [{ label: provisionalName, value: format(provisionalOf(series, index)) }] : []),
    ...(previous ? [{ label: previous.name, value: formatOrDash(previous.values[index], format) }] : []),
  ];
  /** From the top down, as the parts are drawn and the legend names them. */
  const fromTop = (index: number) => {
    const lines = linesOf(index);
    return [...lines.slice(0, series.length).toReversed(), ...lines.slice(series.length)];
  };
  const tipOf = (index: number): Tip => ({
    title: periods[index] ?? '',
    lines: fromTop(index).filter(
      ({ label: name }) => name !== provisionalName || provisionalOf(series, index) !== 0,
    ),
    link: linkOf?.(index),
  });
  const open = (index: number): void => {
    const link = linkOf?.(index);
    if (link) onOpen?.(link.href);
  };
  return (
    <ChartFigure
      columns={[
        categoryLabel,
        ...series.map(({ name }) => name),
        ...(hasProvisional ? [provisionalName] : []),
        ...(previous ? [previous.name] : []),
      ]}
      height={height}
      hrefOf={(index) => linkOf?.(index)?.href}
      label={label}
      rows={periods.map((period, index) => [period, ...linesOf(index).map(({ value }) => value)])}
    >
      <Plot
        height={height}
        onSelect={linkOf && open}
        placeAt={({ x }, width) => {
          const band = bandOf(props, axis, width);
          const index = Math.floor((x - axis.left) / band);
          return index in categories ? { index, x: axis.left + (index + 0.5) * band } : undefined;
        }}
        tipOf={tipOf}
      >
        {({ width, hovered }) => (
          <Stacks
            {...props}
            axis={axis}
            band={bandOf(props, axis, width)}
            height={height}
            hovered={hovered?.index}
            width={width}
          />
        )}
      </Plot>
    </ChartFigure>
  );
};

const formatOrDash = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '—' : format(value);

const sumOf = (series: readonly StackSeries[], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);

const provisionalOf = (series: readonly StackSeries[], index: number): number =>
  series.reduce((sum, one) => sum + (one.provisional?.[index] ?? 0), 0);

const axisOf = (
  { series, previous, categories, unit }: StackChartProps,
  room: { height: number; language: string },
): ValueAxis => {
  const ends = categories.flatMap((_, index) => partsOf(series, index).flatMap(({ from, to }) => [from, to]));
  const others = (previous?.values ?? []).map((value) => value ?? 0);
  return valueAxis([...ends, ...others], { ...room, unit, margin });
};

const bandOf = ({ categories }: StackChartProps, { left }: ValueAxis, width: number): number =>
  (width - left - margin.right) / Math.max(1, categories.length);

interface Drawing {
  axis: ValueAxis;
  /** Width of a period in pixels. */
  band: number;
  width: number;
  height: number;
  hovered: number | undefined;
}

const Stacks = ({
  categories,
  series,
  previous,
  provisional,
  axis,
  band,
  width,
  height,
  hovered,
  formatTotal,
}: StackChartProps & Drawing) => {
  const hatching = useId();
  const keys = keysOf(categories);
  const centre = (index: number) => axis.left + (index + 0.5) * band;
  const named = evenlySpaced(categories.map((text, index) => ({ text, x: centre(index) })));
  const thickness = Math.min(maxBarWidth, Math.max(0, band * 0.74));
  const totals = categories.map((_, index) => {
    const sum = sumOf(series, index);
    return {
      text: sum === 0 ? '' : (formatTotal?.(sum, index) ?? ''),
      x: centre(index),
      height: axis.yOf(0) - axis.yOf(Math.max(0, ...partsOf(series, index).map(({ to }) => to))),
    };
  });
  const summed = visibleAboveBars(totals, thickness);
  const beforeLine = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => centre(index))
    .y((value) => axis.yOf(value ?? 0));
  return (
    <>
      {series.map(({ name, colour }) => (
        <Hatching colour={colour} id={`${hatching}-${colour}`} key={name} />
      ))}
      {provisional.from === undefined ? null : (
        <Shade
          from={axis.left + Math.max(0, provisional.from) * band}
          height={height}
          name={provisional.name}
          to={width - margin.right}
        />
      )}
      <ValueLines axis={axis} end={width - margin.right} />
      {categories.map((category, index) => (
        <g data-bar={category} key={keys[index]} fillOpacity={index === hovered ? 1 : 0.82}>
          {partsOf(series, index).map(({ key, from, to, colour, hatched }) => (
            <rect
              fill={hatched ? `url(#${hatching}-${colour})` : `var(--${colour})`}
              height={axis.yOf(from) - axis.yOf(to)}
              key={key}
              width={thickness}
              x={centre(index) - thickness / 2}
              y={axis.yOf(to)}
            />
          ))}
        </g>
      ))}
      {axis.yOf(0) < height - margin.bottom ? (
        <line
          stroke="var(--line-strong)"
          x1={axis.left}
          x2={width - margin.right}
          y1={axis.yOf(0)}
          y2={axis.yOf(0)}
        />
      ) : null}
      {totals.map(({ text, x, height: ofBar }, index) =>
        summed.has(index) ? (
          <text data-total="true" key={keys[index]} textAnchor="middle" x={x} y={axis.yOf(0) - ofBar - 5}>
            {text}
          </text>
        ) : null,
      )}
      {previous ? (
        <path
          d={beforeLine(previous.values) ?? undefined}
          fill="none"
          stroke="var(--line-strong)"
          strokeDasharray="4 3"
          strokeWidth="1.3"
        />
      ) : null}
      {categories.map((text, index) =>
        named.has(index) ? (
          <text key={keys[index]} textAnchor="middle" x={centre(index)} y={height - 5}>
            {text}
          </text>
        ) : null,
      )}
    </>
  );
};

/** The time for which more data may arrive, labelled if there is room. */
const Shade = ({ from, to, name, height }: { from: number; to: number; name: string; height: number }) => (
  <g data-provisional="true">
    <rect
      fill="var(--track)"
      fillOpacity="0.6"
      height={height - margin.bottom}
      width={Math.max(0, to - from)}
      x={from}
      y={0}
    />
    <line
      stroke="var(--line-strong)"
      strokeDasharray="2 3"
      x1={from}
      x2={from}
      y1={0}
      y2={height - margin.bottom}
    />
    {textWidth(name) + 14 < to - from ? (
      <text x={from + 7} y={12}>
        {name}
      </text>
    ) : null}
  </g>
);

/** For each series the final portion, then the provisional one: positive amounts above zero, negative ones below. */
const partsOf = (series: readonly StackSeries[], index: number) => {
  let [top, bottom] = [0, 0];
  return series.flatMap(({ name, colour, values, provisional }) => {
    const open = provisional?.[index] ?? 0;
    return [
      { key: name, colour, amount: (values[index] ?? 0) - open, hatched: false },
      { key: `${name} provisional`, colour, amount: open, hatched: true },
    ].flatMap(({ amount, ...part }) => {
      if (amount === 0) return [];
      const start = amount > 0 ? top : bottom;
      const end = start + amount;
      if (amount > 0) top = end;
      else bottom = end;
      return [{ ...part, from: Math.min(start, end), to: Math.max(start, end) }];
    });
  });
};
