import type { ReactNode } from 'react';
import { plainText, useTitle } from '../title/index.ts';
import styles from './page.module.css';

export interface PageProps {
  title: ReactNode;
  /** Title of the browser tab, if `title` is not plain text. */
  name?: string;
  /** Skips the header: a `SkipLink`. */
  skip?: ReactNode;
  /** A link to the parent page, usually its list. */
  parent?: ReactNode;
  /** Number, time of the data, owner and the like. */
  facts?: ReactNode;
  /** The main action is last, at the far right. */
  actions?: ReactNode;
  /** Fills the window's height, so that a table scrolls inside its card. */
  fill?: boolean;
  children: ReactNode;
}

/** A page: its header with title, facts and actions, then its content. */
export const Page = ({ title, name, skip, parent, facts, actions, fill = false, children }: PageProps) => {
  useTitle('page', name ?? plainText(title));
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
