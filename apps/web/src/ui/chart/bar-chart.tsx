import { useMemo } from 'react';
import { phone, stillness, useMedia } from '../media/index.ts';
import { type Palette, usePalette } from '../theme/index.ts';
import { ChartFigure } from './chart-figure.tsx';
import { baseOption, type ChartOption, tooltipLines } from './option.ts';
import { useSoFar } from './use-so-far.ts';

export interface BarChartProps {
  label: string;
  categoryLabel: string;
  valueLabel: string;
  categories: readonly string[];
  longCategories?: readonly string[];
  values: readonly number[];
  /** The bar whose period still runs: hatched, as what it shows is not all. */
  unfinished?: number | undefined;
  /** Bars that may still change are paler. */
  isPale?: (index: number) => boolean;
  /** An exact value in words. */
  read: (value: number) => string;
  /** A value above its bar; empty for none. */
  readBar: (value: number) => string;
  height?: number;
}

/** Amounts by period, the same colour on every screen. */
export const BarChart = (props: BarChartProps) => {
  const palette = usePalette();
  const still = useMedia(stillness);
  const narrow = useMedia(phone);
  const { label, categoryLabel, valueLabel, categories, values, unfinished, read } = props;
  const periods = useSoFar(props.longCategories ?? categories, unfinished);
  const option = useMemo(
    () => barOption({ ...props, periods }, palette, { still, mostLabels: narrow ? 8 : 31 }),
    [props, periods, palette, still, narrow],
  );
  return (
    <ChartFigure
      columns={[categoryLabel, valueLabel]}
      height={props.height ?? 170}
      label={label}
      option={option}
      rows={periods.map((period, index) => [period, read(values[index] ?? 0)])}
    />
  );
};

const barOption = (
  {
    categories,
    periods,
    values,
    unfinished,
    isPale,
    read,
    readBar,
  }: BarChartProps & { periods: readonly string[] },
  palette: Palette,
  { still, mostLabels }: { still: boolean; mostLabels: number },
): ChartOption => {
  const base = baseOption(palette, still);
  const styleOf = (index: number) => {
    if (index === unfinished) return { color: palette.amountFaded, decal: hatching(palette.amount) };
    return { color: isPale?.(index) ? palette.amountFaded : palette.amount };
  };
  return {
    ...base,
    grid: { left: 0, right: 0, top: 20, bottom: 20, containLabel: false },
    tooltip: {
      ...base.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'none' },
      formatter: (params) => {
        const index = [params].flat()[0]?.dataIndex ?? 0;
        return tooltipLines(periods[index] ?? '', [{ value: read(values[index] ?? 0) }]);
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
        data: values.map((value, index) => ({ value, itemStyle: styleOf(index) })),
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

const hatching = (color: string) => ({
  symbol: 'rect',
  color,
  dashArrayX: [1, 0],
  dashArrayY: [3, 3],
  rotation: -Math.PI / 4,
});
