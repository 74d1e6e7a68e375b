export { BulkAction, type BulkActionProps, BulkBar, type BulkBarProps } from './bulk-bar.tsx';
export { BulkMenu, type BulkMenuProps } from './bulk-menu.tsx';
