import { Tabs as AntTabs } from 'antd';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  label: ReactNode;
}

export interface TabsProps<Name extends string> {
  tabs: readonly Tab<Name>[];
  /** The open tab; its name belongs in the URL. */
  value: Name;
  onChange: (name: Name) => void;
  /** Takes the page's height, so that a table scrolls inside its card. */
  fill?: boolean;
  /** The open tab's content only: a closed tab asks the server nothing. */
  children: ReactNode;
}

export const Tabs = <Name extends string>({
  tabs,
  value,
  onChange,
  fill = false,
  children,
}: TabsProps<Name>) => (
  <AntTabs
    activeKey={value}
    className={fill ? `${styles['tabs']} ${styles['fill']}` : (styles['tabs'] ?? '')}
    items={tabs.map(({ name, label }) => ({
      key: name,
      label,
      children: name === value ? children : null,
    }))}
    onChange={(key) => {
      const tab = tabs.find(({ name }) => name === key);
      if (tab) onChange(tab.name);
    }}
  />
);
