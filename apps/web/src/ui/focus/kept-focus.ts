import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isNowhere } from './tab-stops.ts';

/** The current row of a table, or of its cards on a phone. */
const currentRow = 'tbody tr[tabindex="0"], [data-rows] a[href]';

/**
 * Where the focus moves when the focused element disappears: to the current row of the list on the page, else to the start of the
 * page.
 */
export const landing = (): HTMLElement | undefined => {
  const rows = [...document.querySelectorAll<HTMLElement>(currentRow)];
  return rows.find((row) => row.checkVisibility()) ?? document.querySelector('main') ?? undefined;
};

/** Moves the focus there if nothing has it; a focus elsewhere is left alone. */
const landFocus = (): void => {
  if (isNowhere(document.activeElement)) landing()?.focus({ preventScroll: true });
};

/**
 * For a window over the page: restores the focus to where it was before the window opened, if that still exists. Automatic if the
 * window is unmounted without closing first; otherwise call the returned function once it has closed.
 */
export const useFocusGivenBack = (open: boolean): (() => void) => {
  const [opening, setOpening] = useState(() => ({ open, before: document.activeElement }));
  // Recorded as it is about to open: a field in it may take the focus before effects run.
  if (opening.open !== open) setOpening({ open, before: open ? document.activeElement : opening.before });
  const { before } = opening;
  const latest = useRef(before);
  useEffect(() => {
    latest.current = before;
  }, [before]);
  useEffect(() => () => void setTimeout(() => giveBack(latest.current)), []);
  return () => giveBack(before);
};

const giveBack = (before: Element | null): void => {
  if (!isNowhere(document.activeElement)) return;
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  landFocus();
};

/** For a group whose parts appear and disappear: when the focused part is removed, the focus moves to `place`. */
export const useKeptFocus = (place: () => HTMLElement | undefined) => {
  const held = useRef(false);
  useLayoutEffect(() => {
    if (!held.current || !isNowhere(document.activeElement)) return;
    held.current = false;
    place()?.focus({ preventScroll: true });
  });
  return {
    onFocus: (): void => {
      held.current = true;
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent): void => {
      held.current = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    },
  };
};
