import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useMemo } from 'react';
import { useHandler } from '../handler/index.ts';
import { wantsNewTab } from '../link/index.ts';

/** Keeps its identity while rows can, or can't, be opened. */
export interface RowOpening<Row> {
  isEnabled: boolean;
  click: (event: MouseEvent<HTMLElement>, row: Row) => void;
  open: (row: Row, newTab: boolean) => void;
}

/** Elements inside a row that handle their own clicks. */
const interactive = 'a, button, input, label, select, [role="menu"], [data-keep]';

const textIsSelected = (): boolean => (window.getSelection()?.toString() ?? '') !== '';

/**
 * Makes a row open like a link: a click opens it, Ctrl-, Cmd- or middle-click opens a tab, selecting text does neither. A click
 * with Shift calls `onShift`, if given.
 */
export const useRowOpening = <Row>(
  rowHref: ((row: Row) => string) | undefined,
  onShift?: (row: Row) => void,
): RowOpening<Row> => {
  const router = useRouter();
  const open = useHandler((row: Row, newTab: boolean): void => {
    if (!rowHref) return;
    if (newTab) window.open(rowHref(row), '_blank', 'noopener');
    else router.history.push(rowHref(row));
  });
  const click = useHandler((event: MouseEvent<HTMLElement>, row: Row): void => {
    const target = event.target as Element;
    if (event.button > 1 || target.closest(interactive) || !event.currentTarget.contains(target)) return;
    if (onShift && event.shiftKey && event.button === 0) onShift(row);
    else if (event.button === 1 || !textIsSelected()) open(row, wantsNewTab(event));
  });
  const isEnabled = rowHref !== undefined;
  return useMemo(() => ({ isEnabled, click, open }), [isEnabled, click, open]);
};
