import { hourMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import styles from './overview.module.css';

const height = 18;
const step = 5;

interface HourBarsProps {
  hours: readonly { at: string; up_bytes: number; down_bytes: number }[];
  /** Milliseconds since 1970. */
  asOf: number;
}

/** Usage of the day by hour, on a base line; the running hour is lighter. */
export const HourBars = ({ hours, asOf }: HourBarsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const values = hours.map(({ up_bytes: up, down_bytes: down }) => up + down);
  const max = Math.max(1, ...values);
  const most = hours[values.indexOf(max)];
  const width = hours.length * step;
  const starts = hours.map(({ at }) => Date.parse(at));
  const [first, middle, last] = [starts[0], starts[12], starts.at(-1)];
  const named = [first, middle, last === undefined ? undefined : last + hourMs];
  return (
    <span className={styles['hours']}>
      <svg
        aria-label={
          most
            ? t('pool.activity.mostInHour', { hour: format.time(most.at), amount: format.bytes(max).text })
            : t('pool.activity.byHour')
        }
        height={height}
        role="img"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
      >
        {values.map((value, index) => {
          const barHeight = value === 0 ? 1 : Math.max(2, (value / max) * height);
          return (
            <rect
              data-empty={value === 0 ? 'true' : undefined}
              data-running={(starts[index] ?? 0) + hourMs > asOf ? 'true' : undefined}
              height={barHeight}
              key={hours[index]?.at}
              width={step - 1}
              x={index * step}
              y={height - barHeight}
            />
          );
        })}
      </svg>
      <span aria-hidden="true">
        {named.map((at) =>
          at === undefined ? null : <span key={at}>{format.time(new Date(at).toISOString())}</span>,
        )}
      </span>
    </span>
  );
};
