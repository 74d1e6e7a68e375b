import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isNowhere } from './tab-stops.ts';

/** Of a table, and of its cards on a phone. */
const currentRow = 'tbody tr[tabindex="0"], [data-rows] a[href]';

/**
 * Where a person goes on when what had the focus is gone: at the current row of the list on the page, else at the start
 * of the page.
 */
export const landing = (): HTMLElement | undefined => {
  const rows = [...document.querySelectorAll<HTMLElement>(currentRow)];
  return rows.find((row) => row.checkVisibility()) ?? document.querySelector('main') ?? undefined;
};

/** Puts the focus somewhere sensible when it is nowhere; a person who has it elsewhere keeps it. */
const landFocus = (): void => {
  if (isNowhere(document.activeElement)) landing()?.focus({ preventScroll: true });
};

/**
 * For a window over the page: the focus goes back to where it was before it opened, if that is still there. By itself when the
 * window is gone without closing first; else by the function, once it has closed.
 */
export const useFocusGivenBack = (open: boolean): (() => void) => {
  const [opening, setOpening] = useState(() => ({ open, before: document.activeElement }));
  // As it is about to open: a field in it may take the focus before it is there.
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

/** For a group whose parts come and go: when the part with the focus goes, the focus goes on at `place`. */
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
