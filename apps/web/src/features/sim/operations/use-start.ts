import { useEffect, useEffectEvent } from 'react';

/** Starts the action in the URL, once: `start` must also remove it from the URL. */
export const useStart = <N>(name: N | undefined, start: (name: N) => void): void => {
  const onNamed = useEffectEvent(start);
  useEffect(() => {
    if (name !== undefined) onNamed(name);
  }, [name]);
};
