import { type ReactNode, useCallback, useState } from 'react';
import { TransferDialog } from '../transfer/transfer-dialog.tsx';
import { UploadInfoDialog } from '../transfer/upload-info-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { NothingSelectedDialog } from './nothing-selected-dialog.tsx';
import { allowedOperations, type Operation, type Target } from './operation.ts';
import { OperationDialog } from './operation-dialog.tsx';

type Open = { name: Operation; target: Target } | { name: 'transferByFile' } | { name: 'uploadInfo' };

export interface SimOperations {
  /** What the person may do, in order. */
  allowed: readonly Operation[];
  /** Always the same. */
  start: (name: Operation, target: Target) => void;
  transferByFile: () => void;
  uploadInfo: () => void;
  /** The dialog that is open; to be drawn once. */
  dialog: ReactNode;
}

/** Everything that can be done with SIMs, for lists and pages: what is allowed, how it starts, and its dialogs. */
export const useSimOperations = (onStarted: () => void = () => undefined): SimOperations => {
  const [open, setOpen] = useState<Open | undefined>();
  const start = useCallback((name: Operation, target: Target) => setOpen({ name, target }), []);
  return {
    allowed: allowedOperations(),
    start,
    transferByFile: () => setOpen({ name: 'transferByFile' }),
    uploadInfo: () => setOpen({ name: 'uploadInfo' }),
    dialog: open ? dialogOf(open, { start, onStarted, onClose: () => setOpen(undefined) }) : null,
  };
};

interface Ends {
  start: SimOperations['start'];
  onStarted: () => void;
  onClose: () => void;
}

const dialogOf = (open: Open, { start, ...ends }: Ends): ReactNode => {
  switch (open.name) {
    case 'uploadInfo':
      return <UploadInfoDialog {...ends} />;
    case 'transferByFile':
      return <TransferDialog {...ends} target={undefined} />;
    case 'transfer':
      return <TransferDialog {...ends} target={open.target} />;
    case 'export':
      return <ExportDialog {...ends} target={open.target} />;
    default: {
      const { name, target } = open;
      if (target.all === undefined) return <OperationDialog {...ends} name={name} target={target} />;
      const onAll = (): void => start(name, { selection: target.selection });
      return <NothingSelectedDialog name={name} onAll={onAll} onClose={ends.onClose} />;
    }
  }
};
