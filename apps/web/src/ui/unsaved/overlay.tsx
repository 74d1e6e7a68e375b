import { type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type Enclosure, EnclosureContext } from '../../lib/submit/index.ts';
import { createDrafts, type Drafts, DraftsContext } from './drafts.ts';
import { type Leave, useLeaveOf } from './use-leave.ts';

interface Overlay {
  drafts: Drafts;
  enclosure: Enclosure;
  /** Something inside is being sent: it can't be closed. */
  isSending: boolean;
  /** Closes it, after confirmation if changes would be lost. */
  leave: Leave;
}

let sendingOverlays = 0;

/** Whether something is being sent from an open dialog or drawer. */
export const isOverlaySending = (): boolean => sendingOverlays > 0;

/** What dialogs and drawers share: closing one loses neither unsaved changes inside nor the response to what is being sent. */
export const useOverlay = (): Overlay => {
  const parent = use(DraftsContext);
  const [drafts] = useState(() => createDrafts(parent));
  const [sends, setSends] = useState(0);
  const isSending = sends > 0;
  useEffect(() => {
    if (!isSending) return;
    sendingOverlays += 1;
    return () => {
      sendingOverlays -= 1;
    };
  }, [isSending]);
  const enclosure = useMemo<Enclosure>(
    () => ({
      isSending,
      startSending: () => {
        setSends((before) => before + 1);
        return () => setSends((before) => before - 1);
      },
    }),
    [isSending],
  );
  const leave = useLeaveOf(drafts);
  return { drafts, enclosure, isSending, leave: (go) => (isSending ? undefined : leave(go)) };
};

/** Must wrap the dialog or drawer. */
export const OverlayContext = ({
  overlay: { drafts, enclosure },
  children,
}: {
  overlay: Overlay;
  children: ReactNode;
}) => (
  <DraftsContext value={drafts}>
    <EnclosureContext value={enclosure}>{children}</EnclosureContext>
  </DraftsContext>
);
