import { Drawer as AntDrawer } from 'antd';
import { memo, type ReactNode } from 'react';
import { useFocusRestore } from '../focus/index.ts';
import { isSecondClick } from '../handler/index.ts';
import { plainText, useTitle } from '../title/index.ts';
import { OverlayContext, useOverlay } from '../unsaved/index.ts';

export interface DrawerProps {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** Pixels; never wider than the window. */
  width?: number;
  children: ReactNode;
}

/** Keeps the last content while the drawer slides away: by then the page has nothing to show in it. */
export const WhileOpen = memo(
  ({ children }: { open: boolean; children: ReactNode }) => children,
  (_, { open }) => !open,
);

/**
 * A sheet from the right with the details of one row: the list stays visible behind it. Closing it with unsaved changes asks for
 * confirmation; while something in it is being sent, it can't be closed.
 */
export const Drawer = ({ open, title, onClose, width = 520, children }: DrawerProps) => {
  const overlay = useOverlay();
  const restoreFocus = useFocusRestore(open);
  useTitle('drawer', open ? plainText(title) : undefined);
  return (
    <OverlayContext overlay={overlay}>
      <AntDrawer
        afterOpenChange={(shown) => {
          if (!shown) restoreFocus();
        }}
        closable={{ disabled: overlay.isSending, placement: 'end' }}
        destroyOnHidden
        onClose={(event) => {
          if (!isSecondClick(event)) overlay.leave(onClose);
        }}
        open={open}
        size={width}
        styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 20 } }}
        title={<WhileOpen open={open}>{title}</WhileOpen>}
      >
        <WhileOpen open={open}>{children}</WhileOpen>
      </AntDrawer>
    </OverlayContext>
  );
};
