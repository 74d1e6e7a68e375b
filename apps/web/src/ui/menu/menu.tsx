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
  /** The button that opens it. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** Keys that open it beside those that press its button. */
export const opens: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp']);

/**
 * The menu of a button, by the pattern of the ARIA practices: opened, its first item has the focus; arrows, Home, End and
 * letters walk, Enter and Space choose, Escape leaves and Tab goes on. Then the button has the focus again, so that a
 * dialog that was chosen gives it back there.
 */
export const Menu = ({
  items,
  placement,
  width,
  disabled = false,
  initiallyOpen = false,
  children,
}: MenuProps) => {
  const [open, setOpen] = useState(initiallyOpen);
  const opener = useRef<TooltipRef>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => {
    opener.current?.nativeElement.focus({ preventScroll: true });
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (disabled || open || !opens.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(true);
  };
  return (
    <Floating
      content={<MenuList items={items} onClose={close} ref={panel} width={width} />}
      disabled={disabled}
      kind="menu"
      onOpen={setOpen}
      open={open}
      opener={opener}
      panel={panel}
      placement={placement}
    >
      {cloneElement(children, { onKeyDown })}
    </Floating>
  );
};
