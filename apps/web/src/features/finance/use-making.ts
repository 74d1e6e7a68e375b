import { useState } from 'react';
import { ApiFailure } from '../../lib/api-client/index.ts';

/** The file that is being created; no other can be requested until it is ready. */
export const useMaking = <What extends string>() => {
  const [making, setMaking] = useState<What>();
  const make = (what: What, work: () => Promise<void>): void => {
    setMaking(what);
    work()
      .catch((error: unknown) => {
        // The API client has already shown failed calls.
        if (!(error instanceof ApiFailure)) console.error('file of a bill not made', error);
      })
      .finally(() => setMaking(undefined));
  };
  return { making, make };
};
