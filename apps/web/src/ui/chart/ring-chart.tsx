import { arc, pie } from 'd3-shape';
import type { ReactNode } from 'react';
import type { Tone } from '../status/index.ts';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { Plot } from './plot.tsx';

export interface RingSlice {
  name: string;
  value: number;
  colour: Tone;
}

export interface RingChartProps {
  label: string;
  categoryLabel: string;
  valueLabel: string;
  /** If all values are zero, the ring is empty. */
  slices: readonly RingSlice[];
  format: (value: number) => string;
  /** The content of the ring's centre. */
  children: ReactNode;
  size?: number;
  onSelect?: ((index: number) => void) | undefined;
}

/** Gap between two slices in radians. */
const gap = 0.026;
const circle = 2 * Math.PI;

export const RingChart = ({
  label,
  categoryLabel,
  valueLabel,
  slices,
  format,
  children,
  size = 124,
  onSelect,
}: RingChartProps) => {
  const half = size / 2;
  const ring = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(half * 0.71)
    .outerRadius(half * 0.98)
    .cornerRadius(1);
  const arcs = pie<RingSlice>()
    .sort(null)
    .value(({ value }) => value)
    .padAngle(gap)([...slices]);
  const isEmpty = slices.every(({ value }) => value === 0);
  return (
    <figure aria-label={label} className={styles['ring']} style={{ width: size }}>
      <Plot
        height={size}
        onSelect={onSelect}
        placeAt={({ x, y }) => {
          const [right, up] = [x - half, half - y];
          if (isEmpty || Math.hypot(right, up) < half * 0.65 || Math.hypot(right, up) > half)
            return undefined;
          const angle = (Math.atan2(right, up) + circle) % circle;
          const index = arcs.findIndex(({ startAngle, endAngle }) => startAngle <= angle && angle < endAngle);
          return index < 0 ? undefined : { index, x, y };
        }}
        tipOf={(index) => ({
          title: slices[index]?.name ?? '',
          lines: [{ value: format(slices[index]?.value ?? 0) }],
        })}
      >
        {() => (
          <g transform={`translate(${half} ${half})`}>
            {isEmpty ? (
              <path d={ring({ startAngle: 0, endAngle: circle }) ?? undefined} fill="var(--track)" />
            ) : (
              arcs.map((slice) => (
                <path
                  d={ring(slice) ?? undefined}
                  fill={`var(--${slice.data.colour})`}
                  key={slice.data.name}
                />
              ))
            )}
          </g>
        )}
      </Plot>
      <div className={styles['centre']}>{children}</div>
      <ChartTable
        caption={label}
        columns={[categoryLabel, valueLabel]}
        rows={slices.map(({ name, value }) => [name, format(value)])}
      />
    </figure>
  );
};
