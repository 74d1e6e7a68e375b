import { useRouter } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { lazyPart } from '../../../lib/chunks/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { simHref } from '../sim-display.ts';
import { allowedOperations, type Operation, type Target } from './operation.ts';
import type { OpenDialog } from './sim-dialog.tsx';

const SimDialog = lazyPart(async () => (await import('./sim-dialog.tsx')).SimDialog);

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
    dialog: open ? (
      <Suspense fallback={null}>
        <SimDialog
          onAccepted={() => onAccepted('target' in open ? open.target : undefined)}
          onClose={() => setOpen(undefined)}
          open={open}
          start={start}
        />
      </Suspense>
    ) : null,
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
