import type { KeyboardEvent } from 'react';

/** The hour at which Tab reaches a day: the one visited last, or the nearest that is free. */
export const hourOfStop = (free: readonly number[], visited: number): number | undefined =>
  free.toSorted((a, b) => Math.abs(a - visited) - Math.abs(b - visited))[0];

/** The arrow keys move among the free hours of a day and to the other days; Home and End to the ends of a day. */
export const focusCellByKey = (event: KeyboardEvent<HTMLElement>): void => {
  const cell = event.target;
  if (!(cell instanceof HTMLElement) || cell.dataset['hour'] === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll(':scope > div:has([data-hour]:enabled)')];
  const rowIndex = rows.findIndex((row) => row.contains(cell));
  const cells = cellsIn(rows[rowIndex]);
  const index = cells.indexOf(cell);
  const sameHourIn = (row: Element | undefined): HTMLElement | undefined => {
    const hour = hourOfStop(cellsIn(row).map(hourOf), hourOf(cell));
    return cellsIn(row).find((one) => hourOf(one) === hour);
  };
  const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowLeft: () => cells[index - 1],
    ArrowRight: () => cells[index + 1],
    ArrowUp: () => sameHourIn(rows[rowIndex - 1]),
    ArrowDown: () => sameHourIn(rows[rowIndex + 1]),
    Home: () => cells[0],
    End: () => cells.at(-1),
  };
  const target = targets[event.key];
  if (!target) return;
  // At an edge, the page does not scroll away either.
  event.preventDefault();
  target()?.focus();
};

const cellsIn = (row: Element | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>('[data-hour]:enabled') ?? []),
];

const hourOf = (cell: HTMLElement): number => Number(cell.dataset['hour']);
