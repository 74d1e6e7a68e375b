import { useState } from 'react';
import { attempt } from '../../lib/api-client/index.ts';

/** The file that is being created; no other can be requested until it is ready. */
export const useFileAction = <What extends string>() => {
  const [runningAction, setRunningAction] = useState<What>();
  const run = (action: What, work: () => Promise<void>): void => {
    setRunningAction(action);
    void attempt(work).then(() => setRunningAction(undefined));
  };
  return { making: runningAction, make: run };
};
