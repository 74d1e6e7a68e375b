import type { OverlayProps } from '../../../ui/lazy-overlay/index.ts';
import { TransferDialog } from '../transfer/transfer-dialog.tsx';
import { UploadInfoDialog } from '../transfer/upload-info-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { NothingSelectedDialog } from './nothing-selected-dialog.tsx';
import type { Operation, Target } from './operation.ts';
import { OperationDialog } from './operation-dialog.tsx';

/** Operations with a dialog here. */
type DialogOperation = Exclude<Operation, 'sendSms'>;
export type ShownDialog =
  | { name: DialogOperation; target: Target }
  | { name: 'transferByFile' }
  | { name: 'uploadInfo' };

interface SimDialogProps extends OverlayProps {
  shown: ShownDialog | undefined;
  start: (name: Operation, target: Target) => void;
  onAccepted: () => void;
}

/** The dialog of an operation on SIMs; loaded when one is first opened. */
export const SimDialog = ({ shown, start, onAccepted, onClose }: SimDialogProps) => {
  if (!shown) return null;
  const callbacks = { onAccepted, onClose };
  switch (shown.name) {
    case 'uploadInfo':
      return <UploadInfoDialog {...callbacks} />;
    case 'transferByFile':
      return <TransferDialog {...callbacks} target={undefined} />;
    case 'transfer':
      return <TransferDialog {...callbacks} target={shown.target} />;
    case 'export':
      return <ExportDialog {...callbacks} target={shown.target} />;
    default: {
      const { name, target } = shown;
      if (target.all === undefined) return <OperationDialog {...callbacks} name={name} target={target} />;
      const onAll = (): void => start(name, { selection: target.selection });
      return <NothingSelectedDialog {...callbacks} name={name} onAll={onAll} target={target} />;
    }
  }
};
