import type { ReactNode } from 'react';
import styles from './skip-link.module.css';

/** Seen only while it has the focus: spares the keyboard everything on the way to what people come for. */
export const SkipLink = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button className={styles['skip']} onClick={onClick} type="button">
    {children}
  </button>
);
