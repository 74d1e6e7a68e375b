import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';

interface RowKeys {
  table: RefObject<HTMLTableElement | null>;
  open: (index: number, newTab: boolean) => void;
}

/** Where a key leads from a row, or undefined when it leads nowhere. */
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

/**
 * One Tab stop for all rows; arrows, Home, End and Page keys walk them, Enter opens, Space selects. Keys meant
 * for a control inside a row (its checkbox, a link) stay with that control.
 */
export const useRowKeys = ({ table, open }: RowKeys) => {
  const [current, setCurrent] = useState(0);
  const rows = (): HTMLTableRowElement[] => [...(table.current?.tBodies[0]?.rows ?? [])];

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const list = rows();
    const index = list.indexOf(event.target as HTMLTableRowElement);
    if (index < 0) return;
    const target = rowTarget(event.key, { index, count: list.length });
    if (target !== undefined) {
      event.preventDefault();
      list[target]?.focus();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(index, event.ctrlKey || event.metaKey);
    } else if (event.key === ' ') {
      event.preventDefault();
      list[index]?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
    }
  };

  const onFocus = (event: FocusEvent<HTMLTableElement>): void => {
    const index = rows().findIndex((row) => row.contains(event.target));
    if (index >= 0) setCurrent(index);
  };

  return { current, onKeyDown, onFocus };
};
