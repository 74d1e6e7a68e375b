import { type CSSProperties, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Drawer, WhileOpen } from '../drawer/index.ts';
import { restoreFocus } from '../focus/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import { acceptsText, useShortcut } from '../shortcuts/index.ts';
import styles from './side-panel-layout.module.css';

export interface SidePanelLayoutProps {
  /** What is open, for screen readers. */
  label: string;
  /**
   * The content next to the page; undefined if closed. `closable` says whether it must render its own close button: a drawer has
   * one already.
   */
  panel: ((closable: boolean) => ReactNode) | undefined;
  onClose: () => void;
  /** Pixels. */
  width?: number;
  /** The page. */
  children: ReactNode;
}

/**
 * Details about one object of a page: next to it if there is space, otherwise in a drawer over it. Resizing the window moves them
 * from one place to the other, keeping everything typed in them and in the page. Closing them, also with Escape, restores the focus
 * to what opened them.
 */
export const SidePanelLayout = ({ label, panel, onClose, width = 384, children }: SidePanelLayoutProps) => {
  const isNarrow = useMedia(narrow);
  const [portalTarget] = useState(createPortalTarget);
  /** Still on screen: a drawer stays visible for a moment after it is closed. */
  const [isAttached, setIsAttached] = useState(false);
  const attach = useCallback(
    (element: HTMLElement | null) => {
      element?.append(portalTarget);
      setIsAttached(element !== null);
    },
    [portalTarget],
  );
  const isOpen = panel !== undefined;
  useShortcut(
    'closePanel',
    ({ target }) => {
      // Escape in a field of the page concerns that field.
      if (portalTarget.contains(target as Node) || !acceptsText(target)) onClose();
    },
    isOpen && !isNarrow,
  );
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (!isOpen && opener.current) restoreFocus(opener.current);
    opener.current = isOpen ? document.activeElement : null;
  }, [isOpen]);
  return (
    <div
      className={styles['area']}
      data-open={panel ? 'true' : undefined}
      data-wide={isNarrow ? undefined : 'true'}
      style={{ '--side-panel-width': `${width}px` } as CSSProperties}
    >
      <div>{children}</div>
      {isNarrow ? (
        <Drawer onClose={onClose} open={isOpen} title={label} width={440}>
          <div className={styles['sheet']} ref={attach} />
        </Drawer>
      ) : panel ? (
        <aside aria-label={label} className={styles['aside']} ref={attach} />
      ) : null}
      {panel || isAttached ? (
        <WhileOpen open={panel !== undefined}>
          {panel ? createPortal(panel(!isNarrow), portalTarget) : null}
        </WhileOpen>
      ) : null}
    </div>
  );
};

const createPortalTarget = (): HTMLElement => {
  const element = document.createElement('div');
  element.className = styles['moved'] ?? '';
  return element;
};
