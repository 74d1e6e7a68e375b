import { useState } from 'react';
import { ApiFailure } from '../../lib/api-client/index.ts';

/** One download at a time; the API client has already shown failures. */
export const useDownload = () => {
  const [isBusy, setBusy] = useState(false);
  const save = async (download: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await download();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    run: (download: () => Promise<void>): void => {
      save(download).catch((error: unknown) => console.error('download failed', error));
    },
  };
};
