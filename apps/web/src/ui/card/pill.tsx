import type { ReactNode } from 'react';
import styles from './pill.module.css';

export interface PillProps {
  /** CSS colour of the dot; no dot by default. */
  dot?: string | undefined;
  tone?: 'plain' | 'good' | 'warning';
  children: ReactNode;
}

/** A small rounded label: a tag, a legend entry, a state next to a title. */
export const Pill = ({ dot, tone = 'plain', children }: PillProps) => (
  <span className={`${styles['pill']} ${styles[tone]}`}>
    {dot ? <span aria-hidden="true" className={styles['dot']} style={{ background: dot }} /> : null}
    {children}
  </span>
);
