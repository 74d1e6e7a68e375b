import type { TooltipRef } from 'antd';
import {
  cloneElement,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  useRef,
  useState,
} from 'react';
import { Floating, type Placement } from '../popover/index.ts';
import type { MenuItems } from './menu-items.ts';
import { MenuList } from './menu-list.tsx';

export interface MenuProps {
  items: MenuItems;
  placement: Placement;
  /** Pixels. */
  width?: { min: number; max?: number };
  disabled?: boolean;
  initiallyOpen?: boolean;
  /** Called when it opens. */
  onOpen?: () => void;
  /** The button that opens it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Keys that open it, in addition to those that press its button. */
export const openingKeys: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp']);

/**
 * A button's menu, following the pattern of the ARIA practices: on opening, the first item is focused; arrows, Home, End and
 * letters move, Enter and Space choose, Escape and Tab close. The focus then returns to the button, so that a dialog opened from
 * the menu restores it there.
 */
export const Menu = ({
  items,
  placement,
  width,
  disabled = false,
  initiallyOpen = false,
  onOpen,
  children,
}: MenuProps) => {
  const [open, setOpen] = useState(initiallyOpen);
  const change = (next: boolean): void => {
    if (next) onOpen?.();
    setOpen(next);
  };
  const opener = useRef<TooltipRef>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => {
    opener.current?.nativeElement.focus({ preventScroll: true });
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (disabled || open || !openingKeys.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    change(true);
  };
  return (
    <Floating
      content={<MenuList items={items} onClose={close} ref={panel} width={width} />}
      disabled={disabled}
      kind="menu"
      onOpen={change}
      open={open}
      opener={opener}
      panel={panel}
      placement={placement}
    >
      {cloneElement(children, { onKeyDown })}
    </Floating>
  );
};
