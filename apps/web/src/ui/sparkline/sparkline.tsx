import type { Tone } from '../status/index.ts';
import { sparkPaths } from './spark-path.ts';
import styles from './sparkline.module.css';

export interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words. */
  label: string;
  /** A palette colour as a CSS variable's name. */
  colour?: Tone | 'amount';
  /** The last value's period still runs: the way there is dashed. */
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
  const paths = sparkPaths({ values, width, height });
  if (!paths) return null;
  const style = { stroke: `var(--${colour})` };
  return (
    <svg
      aria-label={label}
      className={styles['sparkline']}
      height={height}
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <path d={paths.until} style={style} />
      <path d={paths.last} style={style} {...(unfinished ? { strokeDasharray: '2 3' } : {})} />
    </svg>
  );
};
