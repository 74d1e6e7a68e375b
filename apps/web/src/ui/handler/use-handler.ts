import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A handler that stays the same, and does what it was last drawn with: what holds it (the rows of a list) need not be
 * drawn again when that changes. For events alone, never while drawing.
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
