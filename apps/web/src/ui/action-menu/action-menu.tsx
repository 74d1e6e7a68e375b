import { EllipsisOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTabIndex } from '../focus/index.ts';
import { Menu } from '../menu/index.ts';
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
  items: readonly ActionItem[];
  /** Beside other buttons instead of in a row. */
  size?: 'small' | 'middle';
}

/** What can be done with one thing, behind three dots. */
export const ActionMenu = ({ label, items, size = 'small' }: ActionMenuProps) => {
  const tabIndex = useTabIndex();
  return (
    <Menu
      items={items.flatMap(
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
      )}
      placement="bottomRight"
    >
      <Button
        aria-label={label}
        icon={<EllipsisOutlined aria-hidden="true" />}
        size={size}
        tabIndex={tabIndex}
        type={size === 'small' ? 'text' : 'default'}
      />
    </Menu>
  );
};

const RefusedAction = ({ words, reason }: { words: string; reason: string }) => (
  <span className={styles['refused']}>
    {words}
    <small className={styles['reason']}>{reason}</small>
  </span>
);
