import { EllipsisOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { cloneElement, type KeyboardEvent, useState } from 'react';
import { useTabIndex } from '../focus/index.ts';
import { Menu, type MenuItems, openingKeys } from '../menu/index.ts';
import styles from './action-menu.module.css';

export interface ActionItem {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
  /** The action is shown but currently not available. */
  disabled?: boolean;
  /** Why the action is currently not available. */
  disabledReason?: string | undefined;
  /** Separated from the previous actions. */
  separated?: boolean;
}

export interface ActionMenuProps {
  /** The object of the actions, for screen readers. */
  label: string;
  /** A function is called when the menu opens: a list has a menu in each row. */
  items: readonly ActionItem[] | (() => readonly ActionItem[]);
  /** `middle` next to other buttons, `small` in a row. */
  size?: 'small' | 'middle';
}

/** The actions on one object, behind a button with three dots. */
export const ActionMenu = ({ label, items, size = 'small' }: ActionMenuProps) => {
  const tabIndex = useTabIndex();
  if (size === 'small') return <RowMenu items={items} label={label} tabIndex={tabIndex} />;
  return (
    <Menu items={menuOf(items)} placement="bottomRight">
      <Button aria-label={label} icon={<EllipsisOutlined aria-hidden="true" />} tabIndex={tabIndex} />
    </Menu>
  );
};

/** In each row of a table. Until it is opened it renders only a button, because a page may contain a hundred of them. */
const RowMenu = ({ label, items, tabIndex }: ActionMenuProps & { tabIndex: number | undefined }) => {
  const [isOpened, setIsOpened] = useState(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!openingKeys.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setIsOpened(true);
  };
  const button = (
    <button aria-label={label} className={styles['dots']} tabIndex={tabIndex} type="button">
      <EllipsisOutlined aria-hidden="true" />
    </button>
  );
  if (isOpened) {
    return (
      <Menu initiallyOpen items={menuOf(items)} placement="bottomRight">
        {button}
      </Menu>
    );
  }
  return cloneElement(button, {
    'aria-expanded': false,
    'aria-haspopup': 'menu',
    onClick: () => setIsOpened(true),
    onKeyDown,
  });
};

const menuOf = (items: ActionMenuProps['items']): MenuItems =>
  (typeof items === 'function' ? items() : items).flatMap(
    ({ key, label, onClick, danger = false, disabled = false, disabledReason, separated = false }) => [
      ...(separated ? [{ type: 'divider' as const, key: `before-${key}` }] : []),
      {
        key,
        label: disabledReason ? <UnavailableAction reason={disabledReason} words={label} /> : label,
        danger,
        disabled: disabled || disabledReason !== undefined,
        onClick,
      },
    ],
  );

const UnavailableAction = ({ words, reason }: { words: string; reason: string }) => (
  <span className={styles['refused']}>
    {words}
    <small className={styles['reason']}>{reason}</small>
  </span>
);
