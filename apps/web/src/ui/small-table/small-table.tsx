import type { ReactNode } from 'react';
import styles from './small-table.module.css';

/** A few rows inside a card; `data-end` aligns a cell to the end, `data-bad` marks a failure. */
export const SmallTable = ({ children }: { children: ReactNode }) => (
  <table className={styles['table']}>{children}</table>
);
