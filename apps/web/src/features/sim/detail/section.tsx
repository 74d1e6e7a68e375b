import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
}

/** A table with its own heading and tools, for tabs with several. The table itself is the named region. */
export const Section = ({ title, extra, children }: SectionProps) => (
  <div className={styles['section']}>
    <div className={styles['header']}>
      <h2 className={styles['title']}>{title}</h2>
      {extra ? <div className={styles['extra']}>{extra}</div> : null}
    </div>
    {children}
  </div>
);
