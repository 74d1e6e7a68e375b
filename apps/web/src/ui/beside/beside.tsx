import type { CSSProperties, ReactNode } from 'react';
import { Drawer } from '../drawer/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import styles from './beside.module.css';

export interface BesideProps {
  /** What is open, for those who listen. */
  label: string;
  /** What lies beside the page; nothing without it. Given whether it closes itself: a drawer has a cross of its own. */
  open: ((closable: boolean) => ReactNode) | undefined;
  onClose: () => void;
  /** Pixels. */
  width?: number;
  /** The page. */
  children: ReactNode;
}

/** One thing of a page looked at closer: beside it where there is room, over it where there is none. */
export const Beside = ({ label, open, onClose, width = 384, children }: BesideProps) => {
  const isNarrow = useMedia(narrow);
  if (isNarrow) {
    return (
      <>
        {children}
        <Drawer onClose={onClose} open={open !== undefined} title={label} width={440}>
          <div className={styles['sheet']}>{open?.(false)}</div>
        </Drawer>
      </>
    );
  }
  return (
    <div
      className={styles['area']}
      data-open={open ? 'true' : undefined}
      style={{ '--beside': `${width}px` } as CSSProperties}
    >
      <div>{children}</div>
      {open ? (
        <aside aria-label={label} className={styles['aside']}>
          {open(true)}
        </aside>
      ) : null}
    </div>
  );
};
