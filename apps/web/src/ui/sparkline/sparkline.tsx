import type { Tone } from '../status/index.ts';
import { sparkPaths } from './spark-path.ts';
import styles from './sparkline.module.css';

export interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words. */
  label: string;
  /** A palette colour as a CSS variable's name. */
  colour?: Tone | 'amount';
  /** The last value's period still runs: a dot of its own, to which no line falls. */
  unfinished?: boolean;
  width?: number;
  height?: number;
}

/** The shape of some days, without axes. Nothing is drawn where nothing happened. */
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
      {paths.soFar ? <circle cx={paths.soFar.x} cy={paths.soFar.y} r="1.5" /> : null}
    </svg>
  );
};
