import type { Tone } from '../status/index.ts';
import { sparkPaths } from './spark-path.ts';
import styles from './sparkline.module.css';

export interface SparklineProps {
  values: readonly number[];
  /** The content of the line as text. */
  label: string;
  /** A palette colour as a CSS variable's name. */
  colour?: Tone | 'amount';
  /** The period of the last value is still running: the line to it is dashed. */
  unfinished?: boolean;
  width?: number;
  height?: number;
}

/** A small line chart of some days, without axes. Empty if all values are zero. */
export const Sparkline = ({
  values,
  label,
  colour = 'grey',
  unfinished = false,
  width = 72,
  height = 18,
}: SparklineProps) => {
  const paths = sparkPaths({ values, unfinished, width, height });
  if (!paths) return null;
  return (
    <svg
      aria-label={label}
      className={styles['sparkline']}
      height={height}
      role="img"
      style={{ stroke: `var(--${colour})` }}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <path d={paths.line} />
      {paths.soFar ? <path d={paths.soFar} strokeDasharray="1 3" /> : null}
    </svg>
  );
};
