import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { useLanguage } from '../../../lib/language/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { lazyOverlay } from '../../../ui/lazy-overlay/index.ts';
import { simHref } from '../sim-display.ts';
import { allowedOperations, type Operation, type Target } from './operation.ts';
import type { ShownDialog } from './sim-dialog.tsx';

const SimDialog = lazyOverlay(async () => (await import('./sim-dialog.tsx')).SimDialog);

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
  const [shown, setShown] = useState<ShownDialog | undefined>();
  const openSmsComposer = useOpenSmsComposer();
  const start = useCallback(
    (name: Operation, target: Target) =>
      name === 'sendSms' ? openSmsComposer(target) : setShown({ name, target }),
    [openSmsComposer],
  );
  return {
    allowed: allowedOperations(),
    start,
    transferByFile: () => setShown({ name: 'transferByFile' }),
    uploadInfo: () => setShown({ name: 'uploadInfo' }),
    dialog: (
      <SimDialog
        onAccepted={() => onAccepted(shown && 'target' in shown ? shown.target : undefined)}
        onClose={() => setShown(undefined)}
        open={shown !== undefined}
        shown={shown}
        start={start}
      />
    ),
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
