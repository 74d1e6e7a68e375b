import { useState } from 'react';
import { ApiFailure } from '../../lib/api-client/index.ts';

/** The file that is being created; no other can be requested until it is ready. */
export const useFileAction = <What extends string>() => {
  const [runningAction, setRunningAction] = useState<What>();
  const run = (action: What, work: () => Promise<void>): void => {
    setRunningAction(action);
    work()
      .catch((error: unknown) => {
        // The API client has already shown failed calls.
        if (!(error instanceof ApiFailure)) console.error('file of a bill not made', error);
      })
      .finally(() => setRunningAction(undefined));
  };
  return { making: runningAction, make: run };
};
