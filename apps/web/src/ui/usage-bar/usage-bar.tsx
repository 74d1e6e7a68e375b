import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './usage-bar.module.css';
import { usageTone } from './usage-tone.ts';

export interface UsageBarProps {
  used: number;
  /** Null: no limit, so the bar stays empty. */
  limit: number | null;
  /** The amount as text: shown on hover, read by screen readers. */
  label: string;
  size?: 'row' | 'card';
  /** For a share rather than a limit: no warning colours. */
  tone?: 'amount' | undefined;
}

/** Usage of a limit; orange from 80 %, red from 100 %. */
export const UsageBar = ({ used, limit, label, size = 'row', tone }: UsageBarProps) => {
  const percent = limit ? Math.min(100, (used / limit) * 100) : 0;
  return (
    <span className={`${styles['track']} ${styles[size]}`} title={label}>
      <span
        aria-hidden="true"
        className={styles['fill']}
        style={{ width: `${percent}%`, background: `var(--${tone ?? usageTone(used, limit)})` }}
      />
      <span className={visuallyHidden}>{label}</span>
    </span>
  );
};
