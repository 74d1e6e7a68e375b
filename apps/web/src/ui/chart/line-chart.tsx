import { useMemo } from 'react';
import { type ByteUnit, inUnit } from '../../lib/format/index.ts';
import { stillness, useMedia } from '../media/index.ts';
import { type Palette, usePalette } from '../theme/index.ts';
import { Canvas } from './canvas.tsx';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { niceScale } from './nice-scale.ts';
import { baseOption, type ChartOption, faded, type SeriesColour, tooltipLines } from './option.ts';

export interface LineSeries {
  name: string;
  /** Null where nothing is known (yet). */
  values: readonly (number | null)[];
  colour: SeriesColour;
  dashed?: boolean;
  area?: boolean;
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
  const { label, categoryLabel, categories, longCategories = categories, series, read, height = 250 } = props;
  const option = useMemo(() => lineOption(props, palette, still), [props, palette, still]);
  return (
    <figure aria-label={label} className={styles['figure']}>
      <Canvas height={height} option={option} />
      <ChartTable
        caption={label}
        columns={[categoryLabel, ...series.map(({ name }) => name)]}
        rows={longCategories.map((category, index) => [
          category,
          ...series.map(({ values }) => readOrDash(values[index], read)),
        ])}
      />
    </figure>
  );
};

const readOrDash = (value: number | null | undefined, read: (value: number) => string): string =>
  value === null || value === undefined ? '—' : read(value);

const lineOption = (
  { categories, longCategories = categories, series, read, unit, hasLabel = () => true }: LineChartProps,
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
      top: 24,
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
          longCategories[index] ?? '',
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
      nameGap: 6,
      nameTextStyle: { color: palette.textFaint, fontSize: 11, align: 'right', padding: [0, 8, 0, 0] },
      ...scale,
      min: 0,
      axisLabel: { color: palette.textFaint, fontSize: 11 },
      splitLine: { lineStyle: { color: palette.lineSoft } },
    },
    series: series.map(({ name, values, colour, dashed, area }, order) => ({
      type: 'line',
      id: String(order),
      name,
      data: values.map(inUnits),
      z: series.length - order + 1,
      showSymbol: false,
      symbolSize: 6,
      lineStyle: { color: palette[colour], width: dashed ? 1.5 : 1.8, type: dashed ? [4, 4] : 'solid' },
      itemStyle: { color: palette[colour] },
      ...(area ? { areaStyle: { color: faded(palette[colour], 0.1) } } : {}),
      emphasis: { disabled: true },
    })),
  };
};
