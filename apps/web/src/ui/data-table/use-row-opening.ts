import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { wantsNewTab } from '../link/index.ts';

export interface RowOpening<Row> {
  can: boolean;
  /** Empty where rows do not open. */
  hrefOf: (row: Row) => string;
  click: (event: MouseEvent<HTMLElement>, row: Row) => void;
  open: (row: Row, newTab: boolean) => void;
}

/** Whatever has a purpose of its own inside a row keeps its clicks. */
const ownPurpose = 'a, button, input, label, select, [role="menu"], [data-keep]';

const textIsSelected = (): boolean => (window.getSelection()?.toString() ?? '') !== '';

/** A row opens like a link: click opens, Ctrl-, Cmd- or middle-click opens a tab, selecting text does neither. */
export const useRowOpening = <Row>(rowHref: ((row: Row) => string) | undefined): RowOpening<Row> => {
  const router = useRouter();
  const open = (row: Row, newTab: boolean): void => {
    if (!rowHref) return;
    if (newTab) window.open(rowHref(row), '_blank', 'noopener');
    else router.history.push(rowHref(row));
  };
  return {
    can: rowHref !== undefined,
    hrefOf: (row) => rowHref?.(row) ?? '',
    open,
    click: (event, row) => {
      const target = event.target as Element;
      if (event.button > 1 || target.closest(ownPurpose) || !event.currentTarget.contains(target)) return;
      if (textIsSelected() && event.button === 0) return;
      open(row, wantsNewTab(event));
    },
  };
};
