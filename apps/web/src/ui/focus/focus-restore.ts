import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isFocusLost } from './tab-stops.ts';

/** The current row of a table, or of its cards on a phone. */
const currentRow = 'tbody tr[tabindex="0"], [data-rows] a[href]';

/**
 * Where the focus moves when the focused element disappears: to the current row of the list on the page, else to the start of the
 * page.
 */
export const focusFallback = (): HTMLElement | undefined => {
  const rows = [...document.querySelectorAll<HTMLElement>(currentRow)];
  return rows.find((row) => row.checkVisibility()) ?? document.querySelector('main') ?? undefined;
};

/** Moves the focus there if nothing has it; a focus elsewhere is left alone. */
const moveToFallback = (): void => {
  if (isFocusLost(document.activeElement)) focusFallback()?.focus({ preventScroll: true });
};

/**
 * For a window over the page: restores the focus to where it was before the window opened, if that still exists. Automatic if the
 * window is unmounted without closing first; otherwise call the returned function once it has closed.
 */
export const useFocusRestore = (open: boolean): (() => void) => {
  const [opening, setOpening] = useState(() => ({ open, previous: document.activeElement }));
  // Recorded as it is about to open: a field in it may take the focus before effects run.
  if (opening.open !== open) setOpening({ open, previous: open ? document.activeElement : opening.previous });
  const { previous } = opening;
  const latest = useRef(previous);
  useEffect(() => {
    latest.current = previous;
  }, [previous]);
  useEffect(() => () => void setTimeout(() => restoreFocus(latest.current)), []);
  return () => restoreFocus(previous);
};

/** Moves the focus back there, or to where it moves otherwise, if nothing has it. */
export const restoreFocus = (previous: Element | null): void => {
  if (!isFocusLost(document.activeElement)) return;
  if (previous instanceof HTMLElement && previous.isConnected) previous.focus({ preventScroll: true });
  moveToFallback();
};

/** For a group whose parts appear and disappear: when the focused part is removed, the focus moves to `target`. */
export const useFocusHandover = (target: () => HTMLElement | undefined) => {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hadFocus.current || !isFocusLost(document.activeElement)) return;
    hadFocus.current = false;
    target()?.focus({ preventScroll: true });
  });
  return {
    onFocus: (): void => {
      hadFocus.current = true;
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent): void => {
      hadFocus.current = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    },
  };
};
