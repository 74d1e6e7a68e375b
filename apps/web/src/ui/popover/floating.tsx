import { Popover as AntPopover, type TooltipRef } from 'antd';
import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import { isFocusLost } from '../focus/index.ts';

export type Placement = 'bottomLeft' | 'bottomRight' | 'topRight';

export interface FloatingProps {
  kind: 'dialog' | 'menu';
  open: boolean;
  onOpen: (open: boolean) => void;
  placement: Placement;
  disabled?: boolean;
  /** The floating content; mounted again each time it opens. `panel` is its element. */
  content: ReactElement;
  panel: RefObject<HTMLElement | null>;
  /** Ref to the button, which gets the focus back. */
  opener: RefObject<TooltipRef | null>;
  /** The button that opens it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Shifts into the viewport if neither side has room, as on a phone. */
const overflowAdjustment = { adjustX: 1, adjustY: 1, shiftX: true } as const;

/** An overlay that opens at its button and returns the focus to it. */
export const Floating = ({
  kind,
  open,
  onOpen,
  placement,
  disabled = false,
  content,
  panel,
  opener,
  children,
}: FloatingProps) => {
  const wasOpen = useRef(open);
  useEffect(() => {
    const closed = wasOpen.current && !open;
    wasOpen.current = open;
    const { activeElement } = document;
    if (closed && (isFocusLost(activeElement) || panel.current?.contains(activeElement)))
      opener.current?.nativeElement.focus({ preventScroll: true });
  }, [open, panel, opener]);
  return (
    <AntPopover
      arrow={false}
      autoAdjustOverflow={overflowAdjustment}
      content={content}
      destroyOnHidden
      onOpenChange={(next) => onOpen(next && !disabled)}
      open={open}
      placement={placement}
      ref={opener}
      styles={{ container: { padding: kind === 'menu' ? 4 : 10 } }}
      trigger="click"
    >
      {cloneElement(children, { 'aria-expanded': open, 'aria-haspopup': kind })}
    </AntPopover>
  );
};

/** Prepares the overlay once it is mounted: removes antd's `tooltip` role, as it contains controls, and focuses `first`. */
export const useFloatingPanel = (
  panel: RefObject<HTMLElement | null>,
  first: (panel: HTMLElement) => HTMLElement | undefined,
): void => {
  const prepare = useEffectEvent((element: HTMLElement) => {
    element.closest('[role="tooltip"]')?.removeAttribute('role');
    // It is not positioned yet: focusing it must not scroll the page.
    if (!element.contains(document.activeElement)) (first(element) ?? element).focus({ preventScroll: true });
  });
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    if (element.isConnected) return prepare(element);
    const frame = requestAnimationFrame(() => prepare(element));
    return () => cancelAnimationFrame(frame);
  }, [panel]);
};
