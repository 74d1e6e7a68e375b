import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

/** Why what was typed is not applied, below the fields that `id` describes. */
export const Problem = ({ id, children }: { id: string; children: ReactNode }) =>
  children ? (
    <p className={styles['problem']} id={id} role="alert">
      {children}
    </p>
  ) : null;

/** The attributes of a field with a problem, or without one. */
export const problemProps = (id: string, problem: string | undefined) =>
  problem === undefined
    ? { 'aria-invalid': false }
    : { 'aria-invalid': true, 'aria-describedby': id, status: 'error' as const };
