export { useChangeColumns } from './change-list.tsx';
export { actionText, entryText } from './entry-text.ts';
