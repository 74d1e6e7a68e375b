/**
 * Runs immediately, then at most once per `ms`: the last request within a pause runs at its end. A stream may
 * call it as often as it likes; what it triggers is bounded and never late by more than `ms`.
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
