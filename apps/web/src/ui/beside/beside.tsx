import { type CSSProperties, type ReactNode, useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import { Drawer, WhileOpen } from '../drawer/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import styles from './beside.module.css';

export interface BesideProps {
  /** What is open, for screen readers. */
  label: string;
  /**
   * The content next to the page; undefined if closed. `closable` says whether it must render its own close button: a drawer has
   * one already.
   */
  open: ((closable: boolean) => ReactNode) | undefined;
  onClose: () => void;
  /** Pixels. */
  width?: number;
  /** The page. */
  children: ReactNode;
}

/**
 * Details about one object of a page: next to it if there is space, otherwise in a drawer over it. Resizing the window moves them
 * from one place to the other, keeping everything typed in them and in the page.
 */
export const Beside = ({ label, open, onClose, width = 384, children }: BesideProps) => {
  const isNarrow = useMedia(narrow);
  const [moved] = useState(newPlace);
  /** Still on screen: a drawer stays visible for a moment after it is closed. */
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
