import styles from './usage-bar.module.css';
import { usageTone } from './usage-tone.ts';

export interface UsageBarProps {
  used: number;
  /** Null: no limit, so nothing to fill. */
  limit: number | null;
  /** How much of what, in words: shown on hover, read to those who listen. */
  label: string;
  size?: 'row' | 'card';
  /** Where it is a share, not a limit: nothing to warn of. */
  tone?: 'amount';
}

/** How much of a limit is used; from 80 % orange, from 100 % red. */
export const UsageBar = ({ used, limit, label, size = 'row', tone }: UsageBarProps) => {
  const percent = limit ? Math.min(100, (used / limit) * 100) : 0;
  return (
    <span className={`${styles['track']} ${styles[size]}`} title={label}>
      <span
        aria-hidden="true"
        className={styles['fill']}
        style={{ width: `${percent}%`, background: `var(--${tone ?? usageTone(used, limit)})` }}
      />
      <span className={styles['heard']}>{label}</span>
    </span>
  );
};
