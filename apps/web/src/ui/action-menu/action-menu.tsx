import { EllipsisOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { cloneElement, type KeyboardEvent, useState } from 'react';
import { useTabIndex } from '../focus/index.ts';
import { Menu, type MenuItems, opens } from '../menu/index.ts';
import styles from './action-menu.module.css';

export interface ActionItem {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
  /** It can't be done now: it is shown, and can't be chosen. */
  disabled?: boolean;
  /** Why it can't be done now. */
  refused?: string | undefined;
  /** Stands apart from those before it. */
  apart?: boolean;
}

export interface ActionMenuProps {
  /** What the actions are about, for those who listen. */
  label: string;
  /** A function is asked when the menu opens: a list has a menu in each row. */
  items: readonly ActionItem[] | (() => readonly ActionItem[]);
  /** Beside other buttons instead of in a row. */
  size?: 'small' | 'middle';
}

/** What can be done with one thing, behind three dots. */
export const ActionMenu = ({ label, items, size = 'small' }: ActionMenuProps) => {
  const tabIndex = useTabIndex();
  if (size === 'small') return <RowMenu items={items} label={label} tabIndex={tabIndex} />;
  return (
    <Menu items={menuOf(items)} placement="bottomRight">
      <Button aria-label={label} icon={<EllipsisOutlined aria-hidden="true" />} tabIndex={tabIndex} />
    </Menu>
  );
};

/** In each row of a table: until it is opened it is a button alone, which a hundred of may stand in a page. */
const RowMenu = ({ label, items, tabIndex }: ActionMenuProps & { tabIndex: number | undefined }) => {
  const [wanted, setWanted] = useState(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!opens.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setWanted(true);
  };
  const button = (
    <button aria-label={label} className={styles['dots']} tabIndex={tabIndex} type="button">
      <EllipsisOutlined aria-hidden="true" />
    </button>
  );
  if (wanted) {
    return (
      <Menu initiallyOpen items={menuOf(items)} placement="bottomRight">
        {button}
      </Menu>
    );
  }
  return cloneElement(button, {
    'aria-expanded': false,
    'aria-haspopup': 'menu',
    onClick: () => setWanted(true),
    onKeyDown,
  });
};

const menuOf = (items: ActionMenuProps['items']): MenuItems =>
  (typeof items === 'function' ? items() : items).flatMap(
    ({ key, label: words, onClick, danger = false, disabled = false, refused, apart = false }) => [
      ...(apart ? [{ type: 'divider' as const, key: `before-${key}` }] : []),
      {
        key,
        label: refused ? <RefusedAction reason={refused} words={words} /> : words,
        danger,
        disabled: disabled || refused !== undefined,
        onClick,
      },
    ],
  );

const RefusedAction = ({ words, reason }: { words: string; reason: string }) => (
  <span className={styles['refused']}>
    {words}
    <small className={styles['reason']}>{reason}</small>
  </span>
);
