import { Drawer as AntDrawer } from 'antd';
import { memo, type ReactNode } from 'react';
import { useFocusGivenBack } from '../focus/index.ts';
import { useTitle, wordsOf } from '../title/index.ts';
import { DraftsContext, useDrafts } from '../unsaved/index.ts';

export interface DrawerProps {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** Pixels; never wider than the window. */
  width?: number;
  children: ReactNode;
}

/** As it was when it closed, for as long as it slides away: by then the page has nothing more to show in it. */
export const WhileOpen = memo(
  ({ children }: { open: boolean; children: ReactNode }) => children,
  (_, { open }) => !open,
);

/** A sheet from the right for looking closer at one row: the list stays in sight behind it. Closing it asks about what is written there. */
export const Drawer = ({ open, title, onClose, width = 520, children }: DrawerProps) => {
  const { drafts, leave } = useDrafts();
  const giveBack = useFocusGivenBack(open);
  useTitle('drawer', open ? wordsOf(title) : undefined);
  return (
    <DraftsContext value={drafts}>
      <AntDrawer
        afterOpenChange={(shown) => {
          if (!shown) giveBack();
        }}
        destroyOnHidden
        onClose={() => leave(onClose)}
        open={open}
        size={width}
        styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 20 } }}
        title={<WhileOpen open={open}>{title}</WhileOpen>}
      >
        <WhileOpen open={open}>{children}</WhileOpen>
      </AntDrawer>
    </DraftsContext>
  );
};
