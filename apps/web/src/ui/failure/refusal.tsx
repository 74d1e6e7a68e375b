import { useState } from 'react';
import { ApiFailure, explanationOf } from '../../lib/api-client/index.ts';
import styles from './failure.module.css';

/** Why what the person entered on this page was not saved, above it. */
export const Refusal = ({ reason }: { reason: string | undefined }) =>
  reason === undefined ? null : (
    <p className={styles['refusal']} role="alert">
      {reason}
    </p>
  );

/** Runs calls whose failures are shown in place (`announce: false`), with what to do next. */
export const useRefusal = () => {
  const [refusal, setRefusal] = useState<string>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(explanationOf(error));
    }
  };
  return { refusal, setRefusal, run };
};
