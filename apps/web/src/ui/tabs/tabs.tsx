import { Tabs as AntTabs } from 'antd';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** The formatted number of items, next to the label. */
  count?: string | undefined;
}

export interface TabsProps<Name extends string> {
  tabs: readonly Tab<Name>[];
  /** The open tab; its name should be in the URL. */
  value: Name;
  onChange: (name: Name) => void;
  /** Takes the page's height, so that a table scrolls inside its card. */
  fill?: boolean;
  /** At the right end of the row of tabs. */
  extra?: ReactNode;
  /** Between the row of tabs and the open tab's content; the same for all tabs. */
  above?: ReactNode;
  /** Only the open tab's content: closed tabs send no requests. */
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
