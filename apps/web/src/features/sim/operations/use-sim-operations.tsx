import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { useLanguage } from '../../../lib/language/index.ts';
import { TransferDialog } from '../transfer/transfer-dialog.tsx';
import { UploadInfoDialog } from '../transfer/upload-info-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { NothingSelectedDialog } from './nothing-selected-dialog.tsx';
import { allowedOperations, type Operation, type Target } from './operation.ts';
import { OperationDialog } from './operation-dialog.tsx';

/** What has a dialog of its own here. */
type Asked = Exclude<Operation, 'sendSms'>;
type Open = { name: Asked; target: Target } | { name: 'transferByFile' } | { name: 'uploadInfo' };

export interface SimOperations {
  /** What the person may do, in order. */
  allowed: readonly Operation[];
  /** The same as long as the language is. */
  start: (name: Operation, target: Target) => void;
  transferByFile: () => void;
  uploadInfo: () => void;
  /** The dialog that is open; to be drawn once. */
  dialog: ReactNode;
}

/** Everything that can be done with SIMs, for lists and pages: what is allowed, how it starts, and its dialogs. */
export const useSimOperations = (onStarted: () => void = () => undefined): SimOperations => {
  const [open, setOpen] = useState<Open | undefined>();
  const writeSms = useWriteSms();
  const start = useCallback(
    (name: Operation, target: Target) => (name === 'sendSms' ? writeSms(target) : setOpen({ name, target })),
    [writeSms],
  );
  return {
    allowed: allowedOperations(),
    start,
    transferByFile: () => setOpen({ name: 'transferByFile' }),
    uploadInfo: () => setOpen({ name: 'uploadInfo' }),
    dialog: open ? dialogOf(open, { start, onStarted, onClose: () => setOpen(undefined) }) : null,
  };
};

/** Messages are written on their own page: it opens with these SIMs as recipients. */
const useWriteSms = (): ((target: Target) => void) => {
  const { history } = useRouter();
  const language = useLanguage();
  return useCallback(
    ({ selection }: Target) => {
      void import('../../sms/index.ts').then(({ composeHref }) =>
        history.push(composeHref(language, selection)),
      );
    },
    [history, language],
  );
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
