import { Tabs as AntTabs } from 'antd';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** How many there are, beside the label; as it is read. */
  count?: string | undefined;
}

export interface TabsProps<Name extends string> {
  tabs: readonly Tab<Name>[];
  /** The open tab; its name belongs in the URL. */
  value: Name;
  onChange: (name: Name) => void;
  /** Takes the page's height, so that a table scrolls inside its card. */
  fill?: boolean;
  /** At the right end of the row of tabs. */
  extra?: ReactNode;
  /** Between the row of tabs and what the open one has: it stays as it is from tab to tab. */
  above?: ReactNode;
  /** The open tab's content only: a closed tab asks the server nothing. */
  children: ReactNode;
}

export const Tabs = <Name extends string>({
  tabs,
  value,
  onChange,
  fill = false,
  extra,
  above,
  children,
}: TabsProps<Name>) => (
  <AntTabs
    activeKey={value}
    className={fill ? `${styles['tabs']} ${styles['fill']}` : (styles['tabs'] ?? '')}
    items={tabs.map(({ name, label, count }) => ({
      key: name,
      label:
        count === undefined ? (
          label
        ) : (
          <>
            {label} <span className={styles['count']}>{count}</span>
          </>
        ),
      children: name === value ? children : null,
    }))}
    tabBarExtraContent={extra}
    onChange={(key) => {
      const tab = tabs.find(({ name }) => name === key);
      if (tab) onChange(tab.name);
    }}
    renderTabBar={(props, TabBar) => (
      <>
        <TabBar {...props} />
        {above}
      </>
    )}
  />
);
