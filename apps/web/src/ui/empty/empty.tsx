import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  title: ReactNode;
  /** What to do next. */
  hint?: ReactNode;
  action?: ReactNode;
  /** Inside a small card. */
  small?: boolean;
}

/** Says that there is nothing to show, and what to do next. */
export const Empty = ({ title, hint, action, small = false }: EmptyProps) => (
  <div className={small ? `${styles['empty']} ${styles['small']}` : styles['empty']}>
    {small ? null : (
      <svg aria-hidden="true" className={styles['picture']} height="56" viewBox="0 0 72 56" width="72">
        <rect height="40" rx="6" width="56" x="8" y="8" />
        <path d="M8 20h56M16 30h14M16 38h24M46 30h10M46 38h10" />
      </svg>
    )}
    <p className={styles['title']}>{title}</p>
    {hint ? <p className={styles['hint']}>{hint}</p> : null}
    {action}
  </div>
);
