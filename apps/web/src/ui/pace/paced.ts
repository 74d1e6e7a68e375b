/**
 * Runs immediately, then at most once per `ms`; calls during a pause cause one run at its end. A stream may call it at any rate:
 * the number of runs is bounded, and each is at most `ms` late.
 */
export const paced = (run: () => void, ms: number): { ask: () => void; stop: () => void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!asked) return;
      asked = false;
      run();
      rest();
    }, ms);
  };
  return {
    ask: () => {
      if (timer !== undefined) {
        asked = true;
        return;
      }
      run();
      rest();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      asked = false;
    },
  };
};
