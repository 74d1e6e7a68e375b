import { useState } from 'react';
import { attempt } from '../../lib/api-client/index.ts';

/** One download at a time; the API client has already shown failures. */
export const useDownload = () => {
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    run: (download: () => Promise<void>): void => {
      setBusy(true);
      void attempt(download).then(() => setBusy(false));
    },
  };
};
