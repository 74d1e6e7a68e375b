import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useFocusRestore } from '../focus/index.ts';
import { isSecondClick } from '../handler/index.ts';
import { OverlayContext, useOverlay } from '../unsaved/index.ts';
import styles from './content.module.css';

export interface DialogProps {
  open: boolean;
  title: ReactNode;
  /** What the title is about, for example the single SIM. */
  subject?: string | undefined;
  onClose: () => void;
  /** Buttons; none if the content closes itself. */
  footer?: ReactNode;
  width?: number;
  /** Can't be closed by Escape or a click outside: its content would be lost. */
  persistent?: boolean;
  children: ReactNode;
}

/**
 * A window over the page. Its content is mounted again each time it opens. Closing it with unsaved changes asks for confirmation;
 * while something in it is being sent, it can't be closed.
 */
export const Dialog = ({
  open,
  title,
  subject,
  onClose,
  footer = null,
  width = 460,
  persistent = false,
  children,
}: DialogProps) => {
  const overlay = useOverlay();
  const restoreFocus = useFocusRestore(open);
  return (
    <OverlayContext overlay={overlay}>
      <Modal
        afterClose={restoreFocus}
        centered
        closable={{ disabled: overlay.isSending }}
        destroyOnHidden
        footer={footer}
        keyboard={!persistent}
        mask={{ closable: !persistent }}
        onCancel={(event) => {
          if (!isSecondClick(event)) overlay.leave(onClose);
        }}
        open={open}
        title={
          subject === undefined ? (
            title
          ) : (
            <>
              {title} <span className={styles['subject']}>{subject}</span>
            </>
          )
        }
        width={width}
      >
        {children}
      </Modal>
    </OverlayContext>
  );
};
