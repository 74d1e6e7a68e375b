import type { ReactNode } from 'react';
import styles from './pill.module.css';

export interface PillProps {
  /** CSS colour of the dot; none without it. */
  dot?: string | undefined;
  tone?: 'plain' | 'good' | 'warning';
  children: ReactNode;
}

/** A small rounded word: a tag, a legend entry, a state beside a title. */
export const Pill = ({ dot, tone = 'plain', children }: PillProps) => (
  <span className={`${styles['pill']} ${styles[tone]}`}>
    {dot ? <span aria-hidden="true" className={styles['dot']} style={{ background: dot }} /> : null}
    {children}
  </span>
);
