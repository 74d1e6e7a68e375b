import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';

export interface ActionItem {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
  disabled?: boolean;
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
export const ActionMenu = ({ label, items, size = 'small' }: ActionMenuProps) => (
  <Dropdown
    menu={{
      items: items.flatMap(({ key, label: words, danger = false, disabled = false, apart = false }) => [
        ...(apart ? [{ type: 'divider' as const, key: `before-${key}` }] : []),
        { key, label: words, danger, disabled },
      ]),
      onClick: ({ key, domEvent }) => {
        domEvent.stopPropagation();
        items.find((item) => item.key === key)?.onClick();
      },
    }}
    placement="bottomRight"
    trigger={['click']}
  >
    <Button
      aria-label={label}
      icon={<EllipsisOutlined aria-hidden="true" />}
      size={size}
      type={size === 'small' ? 'text' : 'default'}
    />
  </Dropdown>
);
