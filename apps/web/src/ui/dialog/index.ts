export { Confirmations } from './confirmations.tsx';
export { Dialog, type DialogProps } from './dialog.tsx';
export { type Confirmation, useConfirm } from './use-confirm.ts';
