import type { ReactNode } from 'react';
import { useTitle, wordsOf } from '../title/index.ts';
import styles from './page.module.css';

export interface PageProps {
  title: ReactNode;
  /** In the title of the browser's tab, where `title` is more than words. */
  name?: string;
  /** Leads past the header: a `SkipLink`. */
  skip?: ReactNode;
  /** Where this page hangs: a link back to its list. */
  parent?: ReactNode;
  /** How many, as of when, of what. */
  facts?: ReactNode;
  /** The main action last: it stands at the far right. */
  actions?: ReactNode;
  /** Fills the window's height, so that a table scrolls inside its card. */
  fill?: boolean;
  children: ReactNode;
}

/** A page says what it is, how many and as of when; then come its filters and its data. */
export const Page = ({ title, name, skip, parent, facts, actions, fill = false, children }: PageProps) => {
  useTitle('page', name ?? wordsOf(title));
  return (
    <div className={fill ? `${styles['page']} ${styles['fill']}` : styles['page']}>
      {skip}
      <header className={styles['header']}>
        <div className={styles['name']}>
          {parent ? <nav className={styles['parent']}>{parent}</nav> : null}
          <h1 className={styles['title']}>{title}</h1>
          {facts ? <div className={styles['facts']}>{facts}</div> : null}
        </div>
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
};
