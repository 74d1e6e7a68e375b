export { Menu, type MenuProps, opens } from './menu.tsx';
export type { MenuItems } from './menu-items.ts';
