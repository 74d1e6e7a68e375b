import { useState } from 'react';
import { ApiFailure } from '../../lib/api-client/index.ts';

/** Which file is on its way; another one waits until it is there. */
export const useMaking = <What extends string>() => {
  const [making, setMaking] = useState<What>();
  const make = (what: What, work: () => Promise<void>): void => {
    setMaking(what);
    work()
      .catch((error: unknown) => {
        // The API client has already shown why a call failed.
        if (!(error instanceof ApiFailure)) console.error('file of a bill not made', error);
      })
      .finally(() => setMaking(undefined));
  };
  return { making, make };
};
