import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { useLanguage } from '../../../lib/language/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { simHref } from '../sim-display.ts';
import { TransferDialog } from '../transfer/transfer-dialog.tsx';
import { UploadInfoDialog } from '../transfer/upload-info-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { NothingSelectedDialog } from './nothing-selected-dialog.tsx';
import { allowedOperations, type Operation, type Target } from './operation.ts';
import { OperationDialog } from './operation-dialog.tsx';

/** Operations with a dialog here. */
type DialogOperation = Exclude<Operation, 'sendSms'>;
type OpenDialog =
  | { name: DialogOperation; target: Target }
  | { name: 'transferByFile' }
  | { name: 'uploadInfo' };

export interface SimOperations {
  /** The operations that the person may use, in order. */
  allowed: readonly Operation[];
  /** Keeps its identity while the language does not change. */
  start: (name: Operation, target: Target) => void;
  transferByFile: () => void;
  uploadInfo: () => void;
  /** The open dialog; must be rendered once. */
  dialog: ReactNode;
}

/**
 * The operations on SIMs, for lists and pages: which are allowed, how they start, and their dialogs.
 *
 * @param onAccepted receives the SIMs of the accepted order; undefined if a file names them
 */
export const useSimOperations = (
  onAccepted: (target: Target | undefined) => void = () => undefined,
): SimOperations => {
  const [open, setOpen] = useState<OpenDialog | undefined>();
  const openSmsComposer = useOpenSmsComposer();
  const start = useCallback(
    (name: Operation, target: Target) =>
      name === 'sendSms' ? openSmsComposer(target) : setOpen({ name, target }),
    [openSmsComposer],
  );
  return {
    allowed: allowedOperations(),
    start,
    transferByFile: () => setOpen({ name: 'transferByFile' }),
    uploadInfo: () => setOpen({ name: 'uploadInfo' }),
    dialog: open
      ? renderDialog(open, {
          start,
          onAccepted: () => onAccepted('target' in open ? open.target : undefined),
          onClose: () => setOpen(undefined),
        })
      : null,
  };
};

/** Opens the page for writing messages, with these SIMs as recipients; for a single SIM its conversation. */
const useOpenSmsComposer = (): ((target: Target) => void) => {
  const { history } = useRouter();
  const language = useLanguage();
  return useCallback(
    ({ selection, iccid }: Target) => {
      if (iccid !== undefined) {
        history.push(simHref(language, iccid) + stringifySearch({ tab: 'sms' }));
        return;
      }
      void import('../../sms/index.ts').then(({ composeHref }) =>
        history.push(composeHref(language, selection)),
      );
    },
    [history, language],
  );
};

interface DialogCallbacks {
  start: SimOperations['start'];
  onAccepted: () => void;
  onClose: () => void;
}

const renderDialog = (open: OpenDialog, { start, ...callbacks }: DialogCallbacks): ReactNode => {
  switch (open.name) {
    case 'uploadInfo':
      return <UploadInfoDialog {...callbacks} />;
    case 'transferByFile':
      return <TransferDialog {...callbacks} target={undefined} />;
    case 'transfer':
      return <TransferDialog {...callbacks} target={open.target} />;
    case 'export':
      return <ExportDialog {...callbacks} target={open.target} />;
    default: {
      const { name, target } = open;
      if (target.all === undefined) return <OperationDialog {...callbacks} name={name} target={target} />;
      const onAll = (): void => start(name, { selection: target.selection });
      return <NothingSelectedDialog {...callbacks} name={name} onAll={onAll} target={target} />;
    }
  }
};
