import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { stillness, useMedia } from '../media/index.ts';
import type { Tone } from '../status/index.ts';
import { type Palette, usePalette } from '../theme/index.ts';
import { Canvas } from './canvas.tsx';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { baseOption, type ChartOption, tooltipLines } from './option.ts';

export interface RingSlice {
  name: string;
  value: number;
  colour: Tone;
}

export interface RingChartProps {
  label: string;
  categoryLabel: string;
  valueLabel: string;
  /** Of nothing, the ring is empty. */
  slices: readonly RingSlice[];
  read: (value: number) => string;
  /** What stands in the middle. */
  children: ReactNode;
  size?: number;
  onSelect?: (index: number) => void;
}

export const RingChart = (props: RingChartProps) => {
  const palette = usePalette();
  const still = useMedia(stillness);
  const { label, categoryLabel, valueLabel, slices, read, children, size = 124, onSelect } = props;
  const option = useMemo(() => ringOption(props, palette, still), [props, palette, still]);
  return (
    <figure aria-label={label} className={styles['ring']} style={{ width: size }}>
      <Canvas height={size} onSelect={onSelect} option={option} />
      <div className={styles['centre']}>{children}</div>
      <ChartTable
        caption={label}
        columns={[categoryLabel, valueLabel]}
        rows={slices.map(({ name, value }) => [name, read(value)])}
      />
    </figure>
  );
};

const ringOption = (
  { slices, read, onSelect }: RingChartProps,
  palette: Palette,
  still: boolean,
): ChartOption => {
  const base = baseOption(palette, still);
  const isEmpty = slices.every(({ value }) => value === 0);
  return {
    ...base,
    tooltip: {
      ...base.tooltip,
      show: !isEmpty,
      trigger: 'item',
      confine: false,
      appendTo: 'body',
      formatter: (params) => {
        const slice = slices[[params].flat()[0]?.dataIndex ?? 0];
        return tooltipLines(slice?.name ?? '', [{ value: read(slice?.value ?? 0) }]);
      },
    },
    series: [
      {
        type: 'pie',
        id: 'ring',
        radius: ['71%', '98%'],
        padAngle: isEmpty ? 0 : 1.5,
        startAngle: 90,
        cursor: onSelect && !isEmpty ? 'pointer' : 'default',
        silent: isEmpty,
        label: { show: false },
        emphasis: { scale: false },
        data: isEmpty
          ? [{ value: 1, itemStyle: { color: palette.track } }]
          : slices.map(({ name, value, colour }) => ({
              name,
              value,
              itemStyle: { color: palette[colour], borderRadius: 1 },
            })),
      },
    ],
  };
};
