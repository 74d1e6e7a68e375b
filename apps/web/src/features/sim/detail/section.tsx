import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
}

/** A table with a name and tools of its own, where a tab has several. */
export const Section = ({ title, extra, children }: SectionProps) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <header className={styles['header']}>
        <h2 className={styles['title']} id={id}>
          {title}
        </h2>
        {extra ? <div className={styles['extra']}>{extra}</div> : null}
      </header>
      {children}
    </section>
  );
};
