import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ByteUnit } from '../../lib/format/index.ts';
import { phone, useMedia } from '../media/index.ts';
import { ChartFigure } from './chart-figure.tsx';
import { evenlySpaced, keysOf, visibleAboveBars } from './labels.ts';
import { Plot } from './plot.tsx';
import { usePeriodLabels } from './use-period-labels.ts';
import { type ValueAxis, ValueLines, valueAxis } from './value-axis.tsx';

export interface BarChartProps {
  label: string;
  categoryLabel: string;
  valueLabel: string;
  categories: readonly string[];
  longCategories?: readonly string[];
  /** Categories named on the axis only if there is room for all names. */
  isMinor?: (index: number) => boolean;
  values: readonly number[];
  /** Index of the bar whose period is still running: hatched, because its value is incomplete. */
  unfinished?: number | undefined;
  /** Bars whose values may still change are paler. */
  isProvisional?: (index: number) => boolean;
  /** Formats an exact value as text. */
  format: (value: number) => string;
  /** Formats the value above a bar; an empty string shows none. */
  formatBar: (value: number) => string;
  /** Unit of the axis that replaces the values above bars where they are too many; without it, the axis counts whole numbers. */
  unit?: ByteUnit | undefined;
  height?: number;
}

const top = 20;
const bottom = 20;
const axisMargin = { top: 28, right: 0, bottom, left: 10 };
const maxBarWidth = 38;
const rounding = 3;

/** Amounts by period, in the same colour on every screen. */
export const BarChart = (props: BarChartProps) => {
  const { label, categoryLabel, valueLabel, categories, values, unfinished, format, height = 170 } = props;
  const periods = usePeriodLabels(props.longCategories ?? categories, unfinished);
  const { language } = useTranslation().i18n;
  const maxLabels = useMedia(phone) ? 8 : 31;
  const axis =
    values.length > maxLabels
      ? valueAxis(values, { unit: props.unit, height, language, margin: axisMargin })
      : undefined;
  const left = axis?.left ?? 0;
  const bandOf = (width: number) => (width - left) / Math.max(1, categories.length);
  return (
    <ChartFigure
      columns={[categoryLabel, valueLabel]}
      height={height}
      label={label}
      rows={periods.map((period, index) => [period, format(values[index] ?? 0)])}
    >
      <Plot
        height={height}
        placeAt={({ x }, width) => {
          const index = Math.floor((x - left) / bandOf(width));
          return index in categories ? { index, x: left + (index + 0.5) * bandOf(width) } : undefined;
        }}
        tipOf={(index) => ({ title: periods[index] ?? '', lines: [{ value: format(values[index] ?? 0) }] })}
      >
        {({ width }) => <Bars {...props} axis={axis} band={bandOf(width)} height={height} width={width} />}
      </Plot>
    </ChartFigure>
  );
};

const Bars = ({
  categories,
  isMinor,
  values,
  unfinished,
  isProvisional,
  formatBar,
  axis,
  band,
  width,
  height,
}: BarChartProps & { axis: ValueAxis | undefined; band: number; width: number; height: number }) => {
  const hatching = useId();
  const keys = keysOf(categories);
  const floor = height - bottom;
  const max = Math.max(...values, 0);
  const heightOf = (value: number) => {
    if (axis) return floor - axis.yOf(value);
    return max > 0 ? (value / max) * (floor - top) : 0;
  };
  const centre = (index: number) => (axis?.left ?? 0) + (index + 0.5) * band;
  const thickness = Math.min(maxBarWidth, Math.max(0, band * 0.58));
  const labelledCategories = evenlySpaced(
    categories.map((text, index) => ({ text, x: centre(index), isMinor: isMinor?.(index) ?? false })),
  );
  const amounts = values.map((value, index) => ({
    text: formatBar(value),
    x: centre(index),
    height: heightOf(value),
  }));
  const labelledBars = axis ? new Set<number>() : visibleAboveBars(amounts, thickness);
  const fillOf = (index: number) => {
    if (index === unfinished) return `url(#${hatching})`;
    return isProvisional?.(index) ? 'var(--amount-faded)' : 'var(--amount)';
  };
  return (
    <>
      <Hatching id={hatching} />
      {axis ? <ValueLines axis={axis} end={width} /> : null}
      {/* Extends below the edge, which hides the rounded lower corners. */}
      <svg aria-hidden="true" height={floor} overflow="hidden" width={width}>
        {values.map((value, index) => (
          <rect
            fill={fillOf(index)}
            height={value > 0 ? heightOf(value) + rounding : 0}
            key={keys[index]}
            rx={rounding}
            width={thickness}
            x={centre(index) - thickness / 2}
            y={floor - heightOf(value)}
          />
        ))}
      </svg>
      {amounts.map(({ text, x, height: ofBar }, index) =>
        labelledBars.has(index) ? (
          <text key={keys[index]} textAnchor="middle" x={x} y={floor - ofBar - 4}>
            {text}
          </text>
        ) : null,
      )}
      {categories.map((text, index) =>
        labelledCategories.has(index) ? (
          <text key={keys[index]} textAnchor="middle" x={centre(index)} y={height - 5}>
            {text}
          </text>
        ) : null,
      )}
    </>
  );
};

/** Marks values that are incomplete or may still change. */
const Hatching = ({ id }: { id: string }) => (
  <pattern height="6" id={id} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="6">
    <rect fill="var(--amount-faded)" height="6" width="6" />
    <rect fill="var(--amount)" height="6" width="3" />
  </pattern>
);
