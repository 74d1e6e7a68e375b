export { Confirmations } from './confirmations.tsx';
export { Cancel, DialogContent, DialogField, DialogText } from './content.tsx';
export { Dialog, type DialogProps } from './dialog.tsx';
export { type Confirmation, useConfirm } from './use-confirm.ts';
