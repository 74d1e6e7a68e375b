import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { paced } from './paced.ts';

/** A function that may be called at any rate and runs at most once per `ms`, including for the last call. */
export const usePaced = (run: () => void, ms: number): (() => void) => {
  const onRun = useEffectEvent(run);
  const current = useRef<ReturnType<typeof paced> | undefined>(undefined);
  useEffect(() => {
    const made = paced(() => onRun(), ms);
    current.current = made;
    return () => {
      made.stop();
      current.current = undefined;
    };
  }, [ms]);
  return useCallback(() => current.current?.ask(), []);
};
