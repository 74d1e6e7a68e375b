import { endpoints } from '@simcube/contract';
import { useState } from 'react';
import { attempt, call, download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { currentLanguage } from '../../../lib/language/index.ts';
import { useConfirmShare } from '../use-confirm-share.tsx';
import { useShowReport } from './use-diagnose.ts';

export interface SharedLink {
  address: string;
  /** ISO 8601 instant. */
  expiresAt: string;
}

interface Sharing {
  /** The public link of the report on screen, once it was created. */
  link: SharedLink | undefined;
  busy: 'share' | 'pdf' | undefined;
  /** Asks for confirmation, saying what would be shown to whom and for how long. */
  share: () => void;
  /** The SIM is checked again when the file is created, as for any requested report. */
  pdf: () => void;
  /** The link is for another report than the one on screen, or no longer works. */
  forget: () => void;
}

/** Creates the public link of a report, once; its file needs no link. */
export const useSharing = (iccid: string, onShared: () => Promise<void>): Sharing => {
  const [link, setLink] = useState<SharedLink>();
  const confirmShare = useConfirmShare();
  const showReport = useShowReport(iccid);
  const [busy, setBusy] = useState<'share' | 'pdf'>();

  const createLink = async (): Promise<void> => {
    if (link || !(await confirmShare())) return;
    const { data } = await call(endpoints.diagnose.share, { body: { iccid } });
    const path = `/${currentLanguage()}/diagnose/${encodeURIComponent(data.id)}`;
    // The SIM was checked again: what the link shows is also what the person sees.
    showReport(data.report);
    setLink({ address: window.location.origin + path, expiresAt: data.expires_at });
    await onShared();
  };
  const run = (action: 'share' | 'pdf', work: () => Promise<unknown>): void => {
    setBusy(action);
    void attempt(work).then(() => setBusy(undefined));
  };
  return {
    link,
    busy,
    share: () => run('share', createLink),
    pdf: () => run('pdf', async () => saveFile(await download(endpoints.diagnose.pdf, { query: { iccid } }))),
    forget: () => setLink(undefined),
  };
};

/** Saves the PDF of a shared report, in the language of the screen. */
export const savePdf = async (linkId: string): Promise<void> =>
  saveFile(await download(endpoints.diagnose.sharedPdf, { params: { linkId } }));
