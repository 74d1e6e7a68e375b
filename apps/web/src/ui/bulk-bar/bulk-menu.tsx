import { DownOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import styles from './bulk-bar.module.css';

export interface BulkMenuProps {
  label: string;
  items: readonly { key: string; label: string; onClick: () => void; danger?: boolean }[];
}

/** What has no room of its own in the bar. */
export const BulkMenu = ({ label, items }: BulkMenuProps) => (
  <Dropdown
    menu={{
      items: items.map(({ key, label: words, danger = false }) => ({ key, label: words, danger })),
      onClick: ({ key }) => items.find((item) => item.key === key)?.onClick(),
    }}
    placement="topRight"
    trigger={['click']}
  >
    <button className={styles['action']} type="button">
      {label} <DownOutlined aria-hidden="true" style={{ fontSize: 9 }} />
    </button>
  </Dropdown>
);
