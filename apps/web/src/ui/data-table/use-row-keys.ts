import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { isShortcut } from '../shortcuts/index.ts';

interface RowKeys {
  table: RefObject<HTMLTableElement | null>;
  open: (index: number, newTab: boolean) => void;
  /** Selects or deselects a row; with `range`, all from the previous one. */
  toggle: (index: number, range: boolean) => void;
  /** Extends the selection from one row to the next. */
  extend: (from: number, to: number) => void;
}

/** The rows of the list, without the expanded content of a row. */
export const rowsIn = (table: HTMLTableElement | null): HTMLTableRowElement[] =>
  [...(table?.tBodies[0]?.rows ?? [])].filter((row) => row.dataset['below'] === undefined);

/** The target of a key pressed in a row; undefined if the key does not move. */
const rowTarget = (key: string, { index, count }: { index: number; count: number }): number | undefined => {
  const target = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: count - 1,
    PageDown: index + 10,
    PageUp: index - 10,
  }[key];
  return target === undefined ? undefined : Math.min(count - 1, Math.max(0, target));
};

/** The row of the event's target, which is a row or its checkbox: of these keys a checkbox handles only Space. */
const rowOf = (target: EventTarget): HTMLTableRowElement | null => {
  if (target instanceof HTMLTableRowElement) return target;
  return target instanceof HTMLInputElement && target.type === 'checkbox' ? target.closest('tr') : null;
};

/**
 * Makes all rows one tab stop. Arrows, Home, End and Page keys move between them, with Shift they select on the way; Enter opens,
 * Space and `x` select. Keys for another control inside a row (a link, a menu) are left to that control.
 */
export const useRowKeys = ({ table, open, toggle, extend }: RowKeys) => {
  const [current, setCurrent] = useState(0);
  const rows = (): HTMLTableRowElement[] => rowsIn(table.current);

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const list = rows();
    const row = rowOf(event.target);
    const index = row ? list.indexOf(row) : -1;
    if (index < 0) return;
    const { key, shiftKey } = event;
    const onRow = row === event.target;
    const target = rowTarget(key, { index, count: list.length });
    if (target !== undefined) {
      list[target]?.focus();
      if (isShortcut('stretchSelection', event)) extend(index, target);
    } else if (onRow && (isShortcut('openRow', event) || isShortcut('openRowInTab', event)))
      open(index, event.ctrlKey || event.metaKey);
    else if (isShortcut('selectRow', event) && (onRow || key !== ' ')) toggle(index, shiftKey);
    else return;
    event.preventDefault();
  };

  const onFocus = (event: FocusEvent<HTMLTableElement>): void => {
    const index = rows().findIndex((row) => row.contains(event.target));
    if (index >= 0) setCurrent(index);
  };

  return { current, onKeyDown, onFocus };
};
