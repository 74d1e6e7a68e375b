import { useMemo, useState } from 'react';
import { type Density, setDensity, useDensity } from '../../lib/density/index.ts';
import { narrow, useMedia } from '../media/index.ts';
import type { Column } from './column.ts';
import {
  arrange,
  firstInSight,
  freshMemory,
  isShown,
  moveColumn,
  readMemory,
  type TableMemory,
  visibleColumns,
  writeMemory,
} from './table-memory.ts';

export interface TableLayout<Row> {
  /** The visible columns, in order. */
  visible: Column<Row>[];
  /** All columns, in order, for the chooser. */
  all: { column: Column<Row>; shown: boolean }[];
  widths: TableMemory['widths'];
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
  const [known, setKnown] = useState(() => ({ name, memory: readMemory(localStorage, name) }));
  const current = known.name === name ? known : { name, memory: readMemory(localStorage, name) };
  if (current !== known) setKnown(current);
  const { memory } = current;
  const change = (patch: Partial<TableMemory>): void => {
    const next = { ...memory, ...patch };
    setKnown({ name, memory: next });
    writeMemory(localStorage, name, next);
  };
  const visible = useMemo(() => {
    const shown = visibleColumns(columns, memory, filters);
    return isNarrow ? firstInSight(shown, filters) : shown;
  }, [columns, memory, filters, isNarrow]);
  const all = useMemo(
    () =>
      arrange(columns, memory.order).map((column) => ({ column, shown: isShown(column, memory, filters) })),
    [columns, memory, filters],
  );
  return {
    visible,
    all,
    widths: memory.widths,
    density: useDensity(),
    show: (id, shown) => change({ shown: { ...memory.shown, [id]: shown } }),
    move: (id, by) => change({ order: moveColumn(columns, memory, { id, by }) }),
    resize: (widths) => change({ widths: { ...memory.widths, ...widths } }),
    setDensity,
    reset: () => change(freshMemory),
  };
};
