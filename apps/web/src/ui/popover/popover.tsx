import type { TooltipRef } from 'antd';
import { type HTMLAttributes, type ReactElement, useRef, useState } from 'react';
import { Floating, type Placement } from './floating.tsx';
import { PopoverPanel } from './popover-panel.tsx';

export interface PopoverProps {
  /** Its topic, for screen readers. */
  label: string;
  /** Mounted again each time it opens. */
  content: ReactElement;
  placement: Placement;
  /** Set if it is controlled from outside; otherwise the popover keeps its own state. */
  open?: boolean;
  onOpen?: (open: boolean) => void;
  /** The button that opens it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/**
 * A small window below its button. It takes the focus when it opens, traps Tab, closes on Escape, and returns the focus to its
 * button.
 */
export const Popover = ({
  label,
  content,
  placement,
  open: controlledOpen,
  onOpen,
  children,
}: PopoverProps) => {
  const [ownOpen, setOwnOpen] = useState(false);
  const opener = useRef<TooltipRef>(null);
  const panel = useRef<HTMLElement>(null);
  const change = (next: boolean): void => {
    setOwnOpen(next);
    onOpen?.(next);
  };
  return (
    <Floating
      content={
        <PopoverPanel label={label} onClose={() => change(false)} ref={panel}>
          {content}
        </PopoverPanel>
      }
      kind="dialog"
      onOpen={change}
      open={controlledOpen ?? ownOpen}
      opener={opener}
      panel={panel}
      placement={placement}
    >
      {children}
    </Floating>
  );
};
