import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { throttle } from './throttle.ts';

/** A function that may be called at any rate and runs at most once per `ms`, including for the last call. */
export const useThrottled = (run: () => void, ms: number): (() => void) => {
  const onRun = useEffectEvent(run);
  const current = useRef<ReturnType<typeof throttle> | undefined>(undefined);
  useEffect(() => {
    const throttled = throttle(() => onRun(), ms);
    current.current = throttled;
    return () => {
      throttled.cancel();
      current.current = undefined;
    };
  }, [ms]);
  return useCallback(() => current.current?.call(), []);
};
