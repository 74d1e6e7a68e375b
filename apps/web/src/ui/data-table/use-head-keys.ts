import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const controlsIn = (head: HTMLElement): HTMLElement[] => [
  ...head.querySelectorAll<HTMLElement>('input, button'),
];

/**
 * Makes the head of a table one tab stop; arrows, Home and End move between its controls, which are named in order. Columns may
 * be added and removed: if the current control is gone, Tab reaches the first.
 */
export const useHeadKeys = (controls: readonly string[]) => {
  const [focusedControl, setFocusedControl] = useState<string>();
  const current =
    focusedControl !== undefined && controls.includes(focusedControl) ? focusedControl : controls[0];

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const list = controlsIn(event.currentTarget);
    const index = list.indexOf(event.target as HTMLElement);
    const targetIndex = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: list.length - 1 }[
      event.key
    ];
    const target = targetIndex === undefined || event.shiftKey ? undefined : list[targetIndex];
    if (index < 0 || !target) return;
    event.preventDefault();
    target.focus();
  };
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void =>
    setFocusedControl(controls[controlsIn(currentTarget).indexOf(target)]);

  return {
    onKeyDown,
    onFocus,
    tabIndexOf: (name: string): 0 | -1 => (name === current ? 0 : -1),
  };
};
