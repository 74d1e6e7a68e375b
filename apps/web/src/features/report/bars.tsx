import type { ReportSeries } from '@simcube/contract/report';
import { useAmount } from './report-figures.tsx';
import styles from './reports.module.css';

interface BarsProps {
  label: string;
  series: ReportSeries;
  /** What the bars leave out. */
  note?: string | undefined;
}

/** The small chart of a report. */
export const Bars = ({ label, series, note }: BarsProps) => {
  const amount = useAmount();
  const { bars } = series;
  const maxValue = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return null;
  return (
    <figure className={styles['chart']}>
      <figcaption>{label}</figcaption>
      <ul style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}>
        {bars.map(({ label: name, value, tone }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two pools may have the same name; bars never change their order
          <li data-tone={tone} key={index} title={`${name}: ${amount(value, series)}`}>
            <span className={styles['value']}>{amount(value, series)}</span>
            <span
              aria-hidden="true"
              className={styles['bar']}
              style={{ blockSize: `${Math.max(2, (value / maxValue) * 60)}px` }}
            />
            <span className={styles['name']}>{name}</span>
          </li>
        ))}
      </ul>
      {note === undefined ? null : <p className={styles['chartNote']}>{note}</p>}
    </figure>
  );
};
