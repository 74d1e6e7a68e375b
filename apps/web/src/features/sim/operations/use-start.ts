import { useEffect, useEffectEvent } from 'react';

/** Starts what the address names, once: `start` also takes it out of the address. */
export const useStart = <N>(name: N | undefined, start: (name: N) => void): void => {
  const onNamed = useEffectEvent(start);
  useEffect(() => {
    if (name !== undefined) onNamed(name);
  }, [name]);
};
