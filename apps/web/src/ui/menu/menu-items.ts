import type { ReactNode } from 'react';

export interface MenuAction {
  key: string;
  label: ReactNode;
  onClick: () => void;
  danger?: boolean;
  /** Shown, but can't be chosen. */
  disabled?: boolean;
}

interface MenuGroup {
  key: string;
  type: 'group';
  /** Heading of its actions. */
  label: ReactNode;
  children?: readonly MenuAction[];
}

interface MenuDivider {
  key: string;
  type: 'divider';
}

export type MenuItems = readonly (MenuAction | MenuGroup | MenuDivider)[];
