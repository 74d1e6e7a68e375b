import styles from './chart-skeleton.module.css';

/** Uneven like real data, but always the same. */
const bars = [42, 58, 50, 66, 74, 62, 86, 70, 78, 54, 60, 46].map((height, index) => ({ id: index, height }));

/** Placeholder in the shape of a chart while its data is loading. */
export const ChartSkeleton = ({ height }: { height: number }) => (
  <div aria-busy="true" aria-hidden="true" className={styles['bars']} style={{ height }}>
    {bars.map(({ id, height: share }) => (
      <span key={id} style={{ height: `${share}%` }} />
    ))}
  </div>
);
