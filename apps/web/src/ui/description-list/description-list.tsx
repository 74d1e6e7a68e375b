import type { ReactNode } from 'react';
import styles from './description-list.module.css';

export interface Description {
  term: string;
  value: ReactNode;
}

/** Terms and their values in two columns; a missing value is shown as a dash. */
export const DescriptionList = ({ items }: { items: readonly Description[] }) => (
  <dl className={styles['list']}>
    {items.map(({ term, value }) => (
      <div className={styles['item']} key={term}>
        <dt>{term}</dt>
        <dd>{value === null || value === undefined || value === '' ? '—' : value}</dd>
      </div>
    ))}
  </dl>
);
