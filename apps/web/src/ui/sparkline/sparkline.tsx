import { sparkPath } from './spark-path.ts';
import styles from './sparkline.module.css';

export interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words. */
  label: string;
  /** A palette colour as a CSS variable's name. */
  colour?: 'grey' | 'teal' | 'blue' | 'orange' | 'red';
  width?: number;
  height?: number;
}

/** The shape of some days, without axes. Nothing is drawn where nothing happened. */
export const Sparkline = ({ values, label, colour = 'grey', width = 72, height = 18 }: SparklineProps) => {
  const path = sparkPath({ values, width, height });
  if (!path) return null;
  return (
    <svg
      aria-label={label}
      className={styles['sparkline']}
      height={height}
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      <path d={path} style={{ stroke: `var(--${colour})` }} />
    </svg>
  );
};
