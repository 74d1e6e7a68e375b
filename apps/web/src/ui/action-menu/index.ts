export { type ActionItem, ActionMenu, type ActionMenuProps } from './action-menu.tsx';
