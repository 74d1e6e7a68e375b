import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A handler that keeps its identity but runs the function of the last render: components that receive it (the rows of a list)
 * need not re-render when that changes. For events only, never during rendering.
 */
export const useHandler = <A extends readonly unknown[]>(
  run: (...args: A) => void,
): ((...args: A) => void) => {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
};
