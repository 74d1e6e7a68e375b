export { Drawer, type DrawerProps, WhileOpen } from './drawer.tsx';
