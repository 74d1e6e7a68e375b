import { type CSSProperties, type ReactNode, useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import { Drawer, WhileOpen } from '../drawer/index.ts';
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

/**
 * One thing of a page looked at closer: beside it where there is space, over it where there is none. A window that becomes
 * narrow or wide moves it from one place to the other, with all that is written in it and in the page.
 */
export const Beside = ({ label, open, onClose, width = 384, children }: BesideProps) => {
  const isNarrow = useMedia(narrow);
  const [moved] = useState(newPlace);
  /** On screen, which a drawer is for a moment longer than it is open. */
  const [held, setHeld] = useState(false);
  const hold = useCallback(
    (place: HTMLElement | null) => {
      place?.append(moved);
      setHeld(place !== null);
    },
    [moved],
  );
  return (
    <div
      className={styles['area']}
      data-open={open ? 'true' : undefined}
      data-wide={isNarrow ? undefined : 'true'}
      style={{ '--beside': `${width}px` } as CSSProperties}
    >
      <div>{children}</div>
      {isNarrow ? (
        <Drawer onClose={onClose} open={open !== undefined} title={label} width={440}>
          <div className={styles['sheet']} ref={hold} />
        </Drawer>
      ) : open ? (
        <aside aria-label={label} className={styles['aside']} ref={hold} />
      ) : null}
      {open || held ? (
        <WhileOpen open={open !== undefined}>{open ? createPortal(open(!isNarrow), moved) : null}</WhileOpen>
      ) : null}
    </div>
  );
};

const newPlace = (): HTMLElement => {
  const place = document.createElement('div');
  place.className = styles['moved'] ?? '';
  return place;
};
