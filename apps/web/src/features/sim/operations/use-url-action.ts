import { useEffect, useEffectEvent } from 'react';

/** Starts the action in the URL, once: `start` must also remove it from the URL. */
export const useUrlAction = <N>(name: N | undefined, start: (name: N) => void): void => {
  const onStart = useEffectEvent(start);
  useEffect(() => {
    if (name !== undefined) onStart(name);
  }, [name]);
};
