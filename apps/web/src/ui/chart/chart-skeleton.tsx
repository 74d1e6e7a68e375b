import styles from './chart-skeleton.module.css';

/** Uneven like real data, the same at every visit. */
const bars = [42, 58, 50, 66, 74, 62, 86, 70, 78, 54, 60, 46].map((height, index) => ({ id: index, height }));

/** A chart's shape while its data is on its way. */
export const ChartSkeleton = ({ height }: { height: number }) => (
  <div aria-busy="true" aria-hidden="true" className={styles['bars']} style={{ height }}>
    {bars.map(({ id, height: share }) => (
      <span key={id} style={{ height: `${share}%` }} />
    ))}
  </div>
);
