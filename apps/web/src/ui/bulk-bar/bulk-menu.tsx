import { DownOutlined } from '@ant-design/icons';
import { Menu, type MenuItems } from '../menu/index.ts';
import styles from './bulk-bar.module.css';

export interface BulkMenuProps {
  label: string;
  items: MenuItems;
}

/** Actions that do not fit into the bar. */
export const BulkMenu = ({ label, items }: BulkMenuProps) => (
  <Menu items={items} placement="topRight">
    <button className={styles['action']} type="button">
      {label} <DownOutlined aria-hidden="true" style={{ fontSize: 9 }} />
    </button>
  </Menu>
);
