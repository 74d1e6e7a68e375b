/**
 * Runs immediately, then at most once per `ms`; calls during a pause cause one run at its end. A stream may call it at any rate:
 * the number of runs is bounded, and each is at most `ms` late.
 */
export const throttle = (run: () => void, ms: number): { call: () => void; cancel: () => void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPending = false;
  const startPause = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isPending) return;
      isPending = false;
      run();
      startPause();
    }, ms);
  };
  return {
    call: () => {
      if (timer !== undefined) {
        isPending = true;
        return;
      }
      run();
      startPause();
    },
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      isPending = false;
    },
  };
};
