import type { CSSProperties, ReactNode } from 'react';
import styles from './figures.module.css';

interface FiguresProps {
  label?: string;
  /** Widths of the columns on a wide screen; equal by default. */
  columns?: string;
  children: ReactNode;
}

/** The main figures of a page, side by side. */
export const Figures = ({ label, columns, children }: FiguresProps) => (
  <dl aria-label={label} className={styles['figures']} style={{ '--figures': columns } as CSSProperties}>
    {children}
  </dl>
);

interface FigureProps {
  term: string;
  value: ReactNode;
  /** Next to the value: the total that it is part of. */
  of?: ReactNode;
  tone?: 'orange' | 'red' | undefined;
  children?: ReactNode;
}

export const Figure = ({ term, value, of, tone, children }: FigureProps) => (
  <div className={styles['figure']}>
    <dt>{term}</dt>
    <dd>
      <span>
        <b data-tone={tone}>{value}</b> {of}
      </span>
      {children}
    </dd>
  </div>
);
