import { useMemo } from 'react';
import { phone, stillness, useMedia } from '../media/index.ts';
import { type Palette, usePalette } from '../theme/index.ts';
import { Canvas } from './canvas.tsx';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { baseOption, type ChartOption, tooltipLines } from './option.ts';

export interface BarChartProps {
  label: string;
  categoryLabel: string;
  valueLabel: string;
  categories: readonly string[];
  longCategories?: readonly string[];
  values: readonly number[];
  colour: 'blue' | 'teal' | 'purple';
  /** The bar that stands out: today, this month. */
  highlight?: number | undefined;
  /** All bars in full colour, except those that may still change. */
  strong?: boolean;
  isPale?: (index: number) => boolean;
  /** An exact value in words. */
  read: (value: number) => string;
  /** A value above its bar; empty for none. */
  readBar: (value: number) => string;
  height?: number;
}

export const BarChart = (props: BarChartProps) => {
  const palette = usePalette();
  const still = useMedia(stillness);
  const narrow = useMedia(phone);
  const { label, categoryLabel, valueLabel, categories, longCategories = categories, values, read } = props;
  const option = useMemo(
    () => barOption(props, palette, { still, mostLabels: narrow ? 8 : 31 }),
    [props, palette, still, narrow],
  );
  return (
    <figure aria-label={label} className={styles['figure']}>
      <Canvas height={props.height ?? 170} option={option} />
      <ChartTable
        caption={label}
        columns={[categoryLabel, valueLabel]}
        rows={longCategories.map((category, index) => [category, read(values[index] ?? 0)])}
      />
    </figure>
  );
};

const colours = {
  blue: { pale: 'accentFaded', full: 'blue' },
  teal: { pale: 'tealFaded', full: 'teal' },
  purple: { pale: 'purpleFaded', full: 'purple' },
} as const;

const barOption = (
  {
    categories,
    longCategories = categories,
    values,
    colour,
    highlight,
    strong = false,
    isPale,
    read,
    readBar,
  }: BarChartProps,
  palette: Palette,
  { still, mostLabels }: { still: boolean; mostLabels: number },
): ChartOption => {
  const base = baseOption(palette, still);
  const { pale, full } = colours[colour];
  const isFull = (index: number): boolean => (strong ? !isPale?.(index) : index === highlight);
  return {
    ...base,
    grid: { left: 0, right: 0, top: 20, bottom: 20, containLabel: false },
    tooltip: {
      ...base.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'none' },
      formatter: (params) => {
        const index = [params].flat()[0]?.dataIndex ?? 0;
        return tooltipLines(longCategories[index] ?? '', [{ value: read(values[index] ?? 0) }]);
      },
    },
    xAxis: {
      type: 'category',
      data: [...categories],
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: palette.textFaint, fontSize: 11, margin: 6, hideOverlap: true },
    },
    yAxis: { type: 'value', show: false, min: 0 },
    series: [
      {
        type: 'bar',
        id: 'bars',
        barCategoryGap: '42%',
        barMaxWidth: 38,
        data: values.map((value, index) => ({
          value,
          itemStyle: { color: palette[isFull(index) ? full : pale] },
        })),
        itemStyle: { borderRadius: [3, 3, 0, 0] },
        label: {
          show: values.length <= mostLabels,
          position: 'top',
          distance: 3,
          color: palette.textFaint,
          fontSize: 11,
          formatter: ({ dataIndex }) => readBar(values[dataIndex] ?? 0),
        },
        labelLayout: { hideOverlap: true },
        emphasis: { disabled: true },
      },
    ],
  };
};
