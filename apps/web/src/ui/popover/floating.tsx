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
import { isNowhere } from '../focus/index.ts';

export type Placement = 'bottomLeft' | 'bottomRight' | 'topRight';

export interface FloatingProps {
  kind: 'dialog' | 'menu';
  open: boolean;
  onOpen: (open: boolean) => void;
  placement: Placement;
  disabled?: boolean;
  /** What floats; mounted again each time it opens. Its element is `panel`. */
  content: ReactElement;
  panel: RefObject<HTMLElement | null>;
  /** Has the button's element, which gets the focus back. */
  opener: RefObject<TooltipRef | null>;
  /** The button that opens it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Where neither side is wide enough, as on a phone, it lies across. */
const adjusting = { adjustX: 1, adjustY: 1, shiftX: true } as const;

/** Something that opens at its button, and gives the focus back to it. */
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
    if (closed && (isNowhere(activeElement) || panel.current?.contains(activeElement)))
      opener.current?.nativeElement.focus({ preventScroll: true });
  }, [open, panel, opener]);
  return (
    <AntPopover
      arrow={false}
      autoAdjustOverflow={adjusting}
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

/** What floats, once it is there: no tooltip, as antd has it, for it holds what is pressed; and `first` has the focus. */
export const useFloats = (
  panel: RefObject<HTMLElement | null>,
  first: (panel: HTMLElement) => HTMLElement | undefined,
): void => {
  const begin = useEffectEvent((element: HTMLElement) => {
    element.closest('[role="tooltip"]')?.removeAttribute('role');
    // It is not at its place yet: the page must not scroll to where it is.
    if (!element.contains(document.activeElement)) (first(element) ?? element).focus({ preventScroll: true });
  });
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    if (element.isConnected) return begin(element);
    const frame = requestAnimationFrame(() => begin(element));
    return () => cancelAnimationFrame(frame);
  }, [panel]);
};
