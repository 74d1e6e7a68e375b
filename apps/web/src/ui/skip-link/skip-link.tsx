import type { ReactNode } from 'react';
import styles from './skip-link.module.css';

/** Visible only while focused: lets keyboard users skip to the main content. */
export const SkipLink = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button className={styles['skip']} onClick={onClick} type="button">
    {children}
  </button>
);
