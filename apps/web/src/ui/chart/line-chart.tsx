import { useMemo } from 'react';
import { type ByteUnit, inUnit } from '../../lib/format/index.ts';
import { stillness, useMedia } from '../media/index.ts';
import { type Palette, usePalette } from '../theme/index.ts';
import { ChartFigure } from './chart-figure.tsx';
import { niceScale } from './nice-scale.ts';
import { baseOption, type ChartOption, faded, tooltipLines } from './option.ts';
import { useSoFar } from './use-so-far.ts';

export interface LineSeries {
  name: string;
  /** Null where nothing is known (yet). */
  values: readonly (number | null)[];
  /** An amount, or what it is compared with. */
  colour: 'amount' | 'grey';
  dashed?: boolean;
  area?: boolean;
  /** The period of its last value still runs: the way there is dashed, as what it shows is not all. */
  unfinished?: boolean;
}

export interface LineChartProps {
  label: string;
  /** What the horizontal axis counts, as the data table's first heading. */
  categoryLabel: string;
  categories: readonly string[];
  /** In full, for the tooltip and the data table. */
  longCategories?: readonly string[];
  series: readonly LineSeries[];
  /** An exact value in words. */
  read: (value: number) => string;
  /** The axis counts in this unit, so that its lines stand at round numbers of it. */
  unit: ByteUnit;
  height?: number;
  /** Which categories get a label; all by default. */
  hasLabel?: (index: number) => boolean;
}

export const LineChart = (props: LineChartProps) => {
  const palette = usePalette();
  const still = useMedia(stillness);
  const { label, categoryLabel, categories, series, read, height = 250 } = props;
  const isRunning = series.some(({ unfinished }) => unfinished);
  const periods = useSoFar(props.longCategories ?? categories, isRunning ? categories.length - 1 : undefined);
  const option = useMemo(
    () => lineOption({ ...props, periods }, palette, still),
    [props, periods, palette, still],
  );
  return (
    <ChartFigure
      columns={[categoryLabel, ...series.map(({ name }) => name)]}
      height={height}
      label={label}
      option={option}
      rows={periods.map((period, index) => [
        period,
        ...series.map(({ values }) => readOrDash(values[index], read)),
      ])}
    />
  );
};

const readOrDash = (value: number | null | undefined, read: (value: number) => string): string =>
  value === null || value === undefined ? '—' : read(value);

const lineOption = (
  {
    categories,
    periods,
    series,
    read,
    unit,
    hasLabel = () => true,
  }: LineChartProps & { periods: readonly string[] },
  palette: Palette,
  still: boolean,
): ChartOption => {
  const base = baseOption(palette, still);
  const inUnits = (value: number | null): number | null => (value === null ? null : inUnit(value, unit));
  const scale = niceScale(
    Math.max(0, ...series.flatMap(({ values }) => values.map((value) => inUnits(value) ?? 0))),
  );
  return {
    ...base,
    grid: {
      left: 2,
      right: 14,
      top: 28,
      bottom: 2,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    tooltip: {
      ...base.tooltip,
      trigger: 'axis',
      axisPointer: { lineStyle: { color: palette.lineStrong, type: 'dotted' } },
      formatter: (params) => {
        const index = [params].flat()[0]?.dataIndex ?? 0;
        return tooltipLines(
          periods[index] ?? '',
          series.map(({ name, values }) => ({ label: name, value: readOrDash(values[index], read) })),
        );
      },
    },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: [...categories],
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: palette.textFaint,
        fontSize: 11,
        interval: hasLabel,
        hideOverlap: true,
      },
    },
    yAxis: {
      type: 'value',
      name: unit,
      nameLocation: 'end',
      nameGap: 11,
      nameTextStyle: { color: palette.textFaint, fontSize: 11, align: 'right', padding: [0, 8, 0, 0] },
      ...scale,
      min: 0,
      axisLabel: { color: palette.textFaint, fontSize: 11 },
      splitLine: { lineStyle: { color: palette.lineSoft } },
    },
    series: series.flatMap(partsOf).map(({ id, name, values, colour, dashed, area }, order, all) => ({
      type: 'line',
      id,
      name,
      data: values.map(inUnits),
      z: all.length - order + 1,
      showSymbol: false,
      symbolSize: 6,
      lineStyle: { color: palette[colour], width: dashed ? 1.5 : 1.8, type: dashed ? [4, 4] : 'solid' },
      itemStyle: { color: palette[colour] },
      ...(area ? { areaStyle: { color: faded(palette[colour], 0.1) } } : {}),
      emphasis: { disabled: true },
    })),
  };
};

/** A line, of which the way to a period that still runs is a part of its own. */
const partsOf = (
  { unfinished, ...line }: LineSeries,
  order: number,
): (Omit<LineSeries, 'unfinished'> & { id: string })[] => {
  const id = String(order);
  const last = line.values.length - 1;
  if (!unfinished || last < 1) return [{ ...line, id }];
  return [
    { ...line, id, values: line.values.map((value, index) => (index < last ? value : null)) },
    {
      ...line,
      id: `${id}-so-far`,
      dashed: true,
      area: false,
      values: line.values.map((value, index) => (index < last - 1 ? null : value)),
    },
  ];
};
