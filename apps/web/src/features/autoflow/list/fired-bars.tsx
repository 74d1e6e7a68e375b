import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import styles from '../autoflow.module.css';

interface FiredBarsProps {
  days: readonly { day: string; count: number }[];
}

const height = 18;
const base = 1;
const step = 3;

/** Firings by day on a base line, with today last and highlighted. */
export const FiredBars = ({ days }: FiredBarsProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const max = Math.max(...days.map((one) => one.count), 1);
  const total = days.reduce((sum, one) => sum + one.count, 0);
  return (
    <svg
      aria-label={t('autoflow.firedInDays', {
        firings: t('autoflow.firings', { count: total, shown: count(total) }),
        days: days.length,
      })}
      className={styles['bars']}
      height={height}
      role="img"
      viewBox={`0 0 ${days.length * step} ${height}`}
      width={days.length * step}
    >
      {days.map((one, index) => {
        const barHeight = one.count === 0 ? base : Math.max(3, (one.count / max) * height);
        return (
          <rect
            data-empty={one.count === 0 ? 'true' : undefined}
            data-today={index === days.length - 1 ? 'true' : undefined}
            height={barHeight}
            key={one.day}
            width={step - 1}
            x={index * step}
            y={height - barHeight}
          />
        );
      })}
    </svg>
  );
};
