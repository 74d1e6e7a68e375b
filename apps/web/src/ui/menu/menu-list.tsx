import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useId } from 'react';
import { useFloatingPanel } from '../popover/index.ts';
import styles from './menu.module.css';
import type { MenuAction, MenuItems } from './menu-items.ts';

interface MenuListProps {
  items: MenuItems;
  /** Also restores the focus. */
  onClose: () => void;
  width: { min: number; max?: number } | undefined;
  ref: RefObject<HTMLDivElement | null>;
}

const actionsIn = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];

/** The target of a key pressed on an item; undefined if the key does not move. A step past one end wraps around. */
const targetOf = (key: string, { actions, current }: { actions: HTMLElement[]; current: number }) => {
  const { length } = actions;
  const steps: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1 + length,
    Home: 0,
    End: length - 1,
  };
  const step = steps[key];
  if (step !== undefined) return actions[step % length];
  if (key.length > 1 || key === ' ') return undefined;
  const rest = [...actions.slice(current + 1), ...actions.slice(0, current + 1)];
  return rest.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
};

/** The open menu. */
export const MenuList = ({ items, onClose, width, ref }: MenuListProps) => {
  useFloatingPanel(ref, (menu) => actionsIn(menu)[0]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Keys of the menu must not reach the elements below it.
    event.stopPropagation();
    if (event.key === 'Tab' || event.key === 'Escape') onClose();
    if (event.key === 'Tab' || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = actionsIn(event.currentTarget);
    const target = targetOf(event.key, { actions, current: actions.indexOf(event.target as HTMLElement) });
    target?.focus();
    if (target || event.key === 'Escape') event.preventDefault();
  };
  const action = (item: MenuAction) => <Action item={item} key={item.key} onClose={onClose} />;
  return (
    <div
      className={styles['menu']}
      onKeyDown={onKeyDown}
      ref={ref}
      role="menu"
      style={{ minWidth: width?.min, maxWidth: width?.max }}
    >
      {items.map((item) => {
        if (!('type' in item)) return action(item);
        if (item.type === 'divider') return <hr className={styles['divider']} key={item.key} />;
        return (
          <Group key={item.key} label={item.label}>
            {item.children?.map(action)}
          </Group>
        );
      })}
    </div>
  );
};

const Action = ({ item, onClose }: { item: MenuAction; onClose: () => void }) => {
  const choose = (event: MouseEvent): void => {
    // Rows open on click; this click belongs to the menu.
    event.stopPropagation();
    if (item.disabled) return;
    onClose();
    item.onClick();
  };
  return (
    <button
      aria-disabled={item.disabled ?? false}
      className={styles['action']}
      data-danger={item.danger ? 'true' : undefined}
      onClick={choose}
      role="menuitem"
      tabIndex={-1}
      type="button"
    >
      {item.label}
    </button>
  );
};

const Group = ({ label, children }: { label: ReactNode; children: ReactNode }) => {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a menu; a fieldset is for form controls.
    <div aria-labelledby={id} role="group">
      <div className={styles['heading']} id={id}>
        {label}
      </div>
      {children}
    </div>
  );
};
