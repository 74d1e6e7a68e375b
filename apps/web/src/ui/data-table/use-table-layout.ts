import { useMemo, useState } from 'react';
import { type Density, setDensity, useDensity } from '../../lib/density/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import type { Column } from './column.ts';
import {
  byPriority,
  defaultSettings,
  inStoredOrder,
  isShown,
  moveColumn,
  readSettings,
  type TableSettings,
  visibleColumns,
  writeSettings,
} from './table-settings.ts';

export interface TableLayout<Row> {
  /** The table's name in this browser. */
  name: string;
  /** The visible columns, in order. */
  visible: Column<Row>[];
  /** All columns, in order, for the chooser. */
  all: { column: Column<Row>; shown: boolean }[];
  widths: TableSettings['widths'];
  density: Density;
  show: (id: string, shown: boolean) => void;
  move: (id: string, by: number) => void;
  resize: (widths: Record<string, number>) => void;
  setDensity: (density: Density) => void;
  reset: () => void;
}

const noFilters: readonly string[] = [];

/**
 * A table's columns, order and widths, stored in this browser under its name; the density is shared by all tables. `filters`: the
 * names of the active ones; the array must keep its identity while nothing changes.
 */
export const useTableLayout = <Row>(
  name: string,
  columns: readonly Column<Row>[],
  filters: readonly string[] = noFilters,
): TableLayout<Row> => {
  const isNarrow = useMedia(narrow);
  const [stored, setStored] = useState(() => ({ name, settings: readSettings(localStorage, name) }));
  const current = stored.name === name ? stored : { name, settings: readSettings(localStorage, name) };
  if (current !== stored) setStored(current);
  const { settings } = current;
  const change = (patch: Partial<TableSettings>): void => {
    const next = { ...settings, ...patch };
    setStored({ name, settings: next });
    writeSettings(localStorage, name, next);
  };
  const visible = useMemo(() => {
    const shown = visibleColumns(columns, settings, filters);
    return isNarrow ? byPriority(shown, filters) : shown;
  }, [columns, settings, filters, isNarrow]);
  const all = useMemo(
    () =>
      inStoredOrder(columns, settings.order).map((column) => ({
        column,
        shown: isShown(column, settings, filters),
      })),
    [columns, settings, filters],
  );
  return {
    name,
    visible,
    all,
    widths: settings.widths,
    density: useDensity(),
    show: (id, shown) => change({ shown: { ...settings.shown, [id]: shown } }),
    move: (id, by) => change({ order: moveColumn(columns, settings, { id, by }) }),
    resize: (widths) => change({ widths: { ...settings.widths, ...widths } }),
    setDensity,
    reset: () => change(defaultSettings),
  };
};
