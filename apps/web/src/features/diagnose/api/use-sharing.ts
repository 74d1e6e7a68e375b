import { endpoints } from '@simcube/contract';
import { useState } from 'react';
import { ApiFailure, call, download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { currentLanguage } from '../../../lib/language/index.ts';

export interface SharedLink {
  id: string;
  address: string;
  /** ISO 8601 instant. */
  expiresAt: string;
}

interface Sharing {
  /** The public link of the report on screen, once it was made. */
  link: SharedLink | undefined;
  busy: 'share' | 'pdf' | undefined;
  share: () => void;
  pdf: () => void;
  /** The report on screen is another one now. */
  forget: () => void;
}

/** Makes the public link of a report, once, and the file of what it shows. */
export const useSharing = (iccid: string): Sharing => {
  const [link, setLink] = useState<SharedLink>();
  const [busy, setBusy] = useState<'share' | 'pdf'>();

  const linked = async (): Promise<SharedLink> => {
    if (link) return link;
    const { data } = await call(endpoints.sim.shareDiagnose, { body: { iccid } });
    const path = `/${currentLanguage()}/diagnose/${encodeURIComponent(data.id)}`;
    const made = { id: data.id, address: window.location.origin + path, expiresAt: data.expires_at };
    setLink(made);
    return made;
  };
  const run = (what: 'share' | 'pdf', work: () => Promise<unknown>): void => {
    setBusy(what);
    work()
      .catch((error: unknown) => {
        // A failed call has told its reason already.
        if (!(error instanceof ApiFailure)) console.error('diagnose not shared', error);
      })
      .finally(() => setBusy(undefined));
  };
  return {
    link,
    busy,
    share: () => run('share', linked),
    pdf: () => run('pdf', async () => await savePdf((await linked()).id)),
    forget: () => setLink(undefined),
  };
};

/** The PDF of a shared report, in the language of the screen. */
export const savePdf = async (linkId: string): Promise<void> =>
  saveFile(await download(endpoints.sim.publicDiagnosePdf, { params: { linkId } }));
