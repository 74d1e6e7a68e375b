import { Modal } from 'antd';
import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** Buttons; none when the content closes itself. */
  footer?: ReactNode;
  width?: number;
  children: ReactNode;
}

/** A window over the page. Its content is made anew at each opening. */
export const Dialog = ({ open, title, onClose, footer = null, width = 460, children }: DialogProps) => (
  <Modal centered destroyOnHidden footer={footer} onCancel={onClose} open={open} title={title} width={width}>
    {children}
  </Modal>
);
