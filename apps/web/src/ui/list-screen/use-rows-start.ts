import { type RefObject, useEffect, useRef } from 'react';

/**
 * Shows the start of the rows after the person chose other rows: a page, a filter, an order. Back and Forward are left to the
 * router, which restores the place.
 *
 * @param rows what is on screen: page, filter and order as text
 */
export const useRowsStart = (rows: string) => {
  const frame = useRef<HTMLDivElement>(null);
  const chosen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (chosen.current === rows) showStart(frame);
    chosen.current = undefined;
  }, [rows]);
  return {
    /** Of the list's table. */
    frame,
    /** The rows that the person chose. */
    onChosen: (next: string): void => {
      chosen.current = next === rows ? undefined : next;
    },
  };
};

/** A table scrolls inside its frame; on a phone, or below other parts of a page, the page scrolls. */
const showStart = ({ current: frame }: RefObject<HTMLDivElement | null>): void => {
  const table = frame?.querySelector('[data-scroll-restoration-id]');
  if (table) table.scrollTop = 0;
  const page = frame?.closest('main');
  if (!frame || !page) return;
  const hidden = page.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  if (hidden > 0) page.scrollTop -= hidden;
};
