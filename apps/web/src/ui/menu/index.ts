export { Menu, type MenuProps, openingKeys } from './menu.tsx';
export type { MenuItems } from './menu-items.ts';
