export { ExportMenu, type ExportMenuProps } from './export-menu.tsx';
