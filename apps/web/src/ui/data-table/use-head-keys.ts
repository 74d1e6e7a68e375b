import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const controlsIn = (head: HTMLElement): HTMLElement[] => [
  ...head.querySelectorAll<HTMLElement>('input, button'),
];

/**
 * Makes the head of a table one tab stop; arrows, Home and End move between its controls, which are named in order. Columns may
 * be added and removed: if the current control is gone, Tab reaches the first.
 */
export const useHeadKeys = (controls: readonly string[]) => {
  const [held, setHeld] = useState<string>();
  const current = held !== undefined && controls.includes(held) ? held : controls[0];

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const list = controlsIn(event.currentTarget);
    const at = list.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    const target = to === undefined || event.shiftKey ? undefined : list[to];
    if (at < 0 || !target) return;
    event.preventDefault();
    target.focus();
  };
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void =>
    setHeld(controls[controlsIn(currentTarget).indexOf(target)]);

  return {
    onKeyDown,
    onFocus,
    tabIndexOf: (name: string): 0 | -1 => (name === current ? 0 : -1),
  };
};
