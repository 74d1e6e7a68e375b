export { BulkAction, type BulkActionProps, BulkBar, type BulkBarProps } from './bulk-bar.tsx';
