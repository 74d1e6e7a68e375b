export { Menu, type MenuProps } from './menu.tsx';
export type { MenuItems } from './menu-items.ts';
