import { z } from 'zod';
import { type Column, maxColumnWidth, minColumnWidth } from './column.ts';

/** The person's settings of a table, stored in the browser for each table. */
const tableSettingsSchema = z.object({
  /** Ids in the order shown; columns added later get their declared position. */
  order: z.array(z.string()).max(100).default([]),
  /** Columns that the person showed or hid; others follow their declaration. */
  shown: z.record(z.string(), z.boolean()).default({}),
  widths: z.record(z.string(), z.number().min(minColumnWidth).max(maxColumnWidth)).default({}),
});
export type TableSettings = z.output<typeof tableSettingsSchema>;

export const defaultSettings: TableSettings = tableSettingsSchema.parse({});

type ColumnOptions = Pick<Column<never>, 'id' | 'fixed' | 'initiallyHidden' | 'filteredBy'>;

/** All columns in the stored order; unknown ids are dropped, new columns keep their declared neighbours. */
export const inStoredOrder = <C extends ColumnOptions>(
  columns: readonly C[],
  order: readonly string[],
): C[] => {
  const known = order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const arranged = [...new Set(known)];
  columns.forEach((column, index) => {
    if (arranged.includes(column)) return;
    const previous = columns[index - 1];
    arranged.splice(previous ? arranged.indexOf(previous) + 1 : 0, 0, column);
  });
  return arranged;
};

const isFiltered = ({ id, filteredBy = [id] }: ColumnOptions, filters: readonly string[]): boolean =>
  filteredBy.some((name) => filters.includes(name));

/** Columns of active filters are shown, unless the person decided otherwise. `filters`: the names of the active ones. */
export const isShown = (
  column: ColumnOptions,
  settings: TableSettings,
  filters: readonly string[] = [],
): boolean =>
  column.fixed === true ||
  (settings.shown[column.id] ?? (column.initiallyHidden !== true || isFiltered(column, filters)));

/** The visible columns, in order. */
export const visibleColumns = <C extends ColumnOptions>(
  columns: readonly C[],
  settings: TableSettings,
  filters: readonly string[] = [],
): C[] => inStoredOrder(columns, settings.order).filter((column) => isShown(column, settings, filters));

/** If not all columns fit: the identifying one first, then filtered ones, then the others in their order. */
export const byPriority = <C extends ColumnOptions>(
  columns: readonly C[],
  filters: readonly string[],
): C[] => {
  const identifying = columns.find(({ fixed }) => fixed);
  const priority = (column: C): number => (column === identifying ? 0 : isFiltered(column, filters) ? 1 : 2);
  return [...columns].sort((one, other) => priority(one) - priority(other));
};

/** The order after a column was moved by a number of positions (negative: towards the start). */
export const moveColumn = (
  columns: readonly ColumnOptions[],
  settings: TableSettings,
  { id, by }: { id: string; by: number },
): string[] => {
  const ids = inStoredOrder(columns, settings.order).map((column) => column.id);
  const from = ids.indexOf(id);
  if (from < 0) return ids;
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
};

const storageKey = (name: string): string => `simcube.table.${name}`;

export const readSettings = (storage: Storage, name: string): TableSettings => {
  try {
    return tableSettingsSchema.parse(JSON.parse(storage.getItem(storageKey(name)) ?? '{}'));
  } catch {
    // Invalid or older content: falls back to the declared layout.
    return defaultSettings;
  }
};

export const writeSettings = (storage: Storage, name: string, settings: TableSettings): void => {
  try {
    storage.setItem(storageKey(name), JSON.stringify(settings));
  } catch {
    // Storage is full or forbidden: the table works, its layout is just not stored.
  }
};
