import { useState } from 'react';

/** What an editor's fields show: the filter's value, or what was typed but can't be applied, until the filter changes. */
export const useTyped = <V extends object>(applied: V) => {
  const over = JSON.stringify(applied);
  const [typed, setTyped] = useState<{ over: string; value: V } | undefined>();
  return {
    shown: typed?.over === over ? typed.value : applied,
    /** Undefined: what was typed is applied. */
    setTyped: (value: V | undefined) => setTyped(value && { over, value }),
  };
};
