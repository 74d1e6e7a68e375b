import type { ReactNode } from 'react';
import styles from './status.module.css';

/** Names of palette colours; `theme/tokens.ts` defines their meanings. */
export type Tone = 'teal' | 'orange' | 'red' | 'grey' | 'purple';

export interface StatusProps {
  tone: Tone;
  /** Pulses softly: something is in progress. */
  live?: boolean;
  children: ReactNode;
}

/** A dot and a word: state is never shown by colour alone. */
export const Status = ({ tone, live = false, children }: StatusProps) => (
  <span className={styles['status']}>
    <Dot live={live} tone={tone} />
    <span className={styles['word']}>{children}</span>
  </span>
);

export const Dot = ({ tone, live = false }: Pick<StatusProps, 'tone' | 'live'>) => (
  <span
    aria-hidden="true"
    className={live ? `${styles['dot']} ${styles['live']}` : styles['dot']}
    style={{ background: `var(--${tone})` }}
  />
);
