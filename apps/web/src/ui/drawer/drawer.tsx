import { Drawer as AntDrawer } from 'antd';
import type { ReactNode } from 'react';

export interface DrawerProps {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** Pixels; never wider than the window. */
  width?: number;
  children: ReactNode;
}

/** A sheet from the right for looking closer at one row: the list stays in sight behind it. */
export const Drawer = ({ open, title, onClose, width = 520, children }: DrawerProps) => (
  <AntDrawer
    destroyOnHidden
    onClose={onClose}
    open={open}
    size={width}
    styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 20 } }}
    title={title}
  >
    {children}
  </AntDrawer>
);
