import { z } from 'zod';
import { type Column, minColumnWidth } from './column.ts';

/** The person's settings of a table, stored in the browser for each table. */
const tableMemorySchema = z.object({
  /** Ids in the order shown; columns added later get their declared position. */
  order: z.array(z.string()).max(100).default([]),
  /** Columns that the person showed or hid; others follow their declaration. */
  shown: z.record(z.string(), z.boolean()).default({}),
  widths: z.record(z.string(), z.number().min(minColumnWidth).max(2000)).default({}),
});
export type TableMemory = z.output<typeof tableMemorySchema>;

export const freshMemory: TableMemory = tableMemorySchema.parse({});

type Place = Pick<Column<never>, 'id' | 'fixed' | 'initiallyHidden' | 'filteredBy'>;

/** All columns in the stored order; unknown ids are dropped, new columns keep their declared neighbours. */
export const arrange = <C extends Place>(columns: readonly C[], order: readonly string[]): C[] => {
  const known = order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const arranged = [...new Set(known)];
  columns.forEach((column, index) => {
    if (arranged.includes(column)) return;
    const before = columns[index - 1];
    arranged.splice(before ? arranged.indexOf(before) + 1 : 0, 0, column);
  });
  return arranged;
};

const isFiltered = ({ id, filteredBy = [id] }: Place, filters: readonly string[]): boolean =>
  filteredBy.some((name) => filters.includes(name));

/** Columns of active filters are shown, unless the person decided otherwise. `filters`: the names of the active ones. */
export const isShown = (column: Place, memory: TableMemory, filters: readonly string[] = []): boolean =>
  column.fixed === true ||
  (memory.shown[column.id] ?? (column.initiallyHidden !== true || isFiltered(column, filters)));

/** The visible columns, in order. */
export const visibleColumns = <C extends Place>(
  columns: readonly C[],
  memory: TableMemory,
  filters: readonly string[] = [],
): C[] => arrange(columns, memory.order).filter((column) => isShown(column, memory, filters));

/** If not all columns fit: the identifying one first, then filtered ones, then the others in their order. */
export const firstInSight = <C extends Place>(columns: readonly C[], filters: readonly string[]): C[] => {
  const known = columns.find(({ fixed }) => fixed);
  const place = (column: C): number => (column === known ? 0 : isFiltered(column, filters) ? 1 : 2);
  return [...columns].sort((one, other) => place(one) - place(other));
};

/** The order after a column was moved by a number of positions (negative: towards the start). */
export const moveColumn = (
  columns: readonly Place[],
  memory: TableMemory,
  { id, by }: { id: string; by: number },
): string[] => {
  const ids = arrange(columns, memory.order).map((column) => column.id);
  const from = ids.indexOf(id);
  if (from < 0) return ids;
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
};

const storageKey = (name: string): string => `simcube.table.${name}`;

export const readMemory = (storage: Storage, name: string): TableMemory => {
  try {
    return tableMemorySchema.parse(JSON.parse(storage.getItem(storageKey(name)) ?? '{}'));
  } catch {
    // Invalid or older content: falls back to the declared layout.
    return freshMemory;
  }
};

export const writeMemory = (storage: Storage, name: string, memory: TableMemory): void => {
  try {
    storage.setItem(storageKey(name), JSON.stringify(memory));
  } catch {
    // Storage is full or forbidden: the table works, its layout is just not stored.
  }
};
