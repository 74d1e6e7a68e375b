/**
 * The selection in a list that is longer than the page: some rows by key, or all that match the filter except some. Bulk
 * operations are sent in the same two forms, so no list of a million keys ever exists.
 */
export type Selection =
  | { kind: 'some'; keys: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const noSelection: Selection = { kind: 'some', keys: new Set() };
export const allMatching: Selection = { kind: 'all', except: new Set() };

export const isSelected = (selection: Selection, key: string): boolean =>
  selection.kind === 'all' ? !selection.except.has(key) : selection.keys.has(key);

/** The number of selected rows, given the total that match. */
export const selectedCount = (selection: Selection, total: number): number =>
  selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.keys.size;

/** Selects or deselects these rows (one row, or the page). */
export const select = (selection: Selection, keys: readonly string[], on: boolean): Selection => {
  const adds = selection.kind === 'all' ? !on : on;
  const next = new Set(selection.kind === 'all' ? selection.except : selection.keys);
  for (const key of keys) {
    if (adds) next.add(key);
    else next.delete(key);
  }
  return selection.kind === 'all' ? { kind: 'all', except: next } : { kind: 'some', keys: next };
};

/** The state of the checkbox over a page's rows. */
export const pageState = (selection: Selection, keys: readonly string[]): 'none' | 'some' | 'all' => {
  const selected = keys.filter((key) => isSelected(selection, key)).length;
  if (selected === 0) return 'none';
  return selected === keys.length ? 'all' : 'some';
};

/** The keys from one to another, inclusive, in either order; only `to` if `from` is not on the page. */
export const rangeOf = (keys: readonly string[], from: string, to: string): readonly string[] => {
  const [start, end] = [keys.indexOf(from), keys.indexOf(to)];
  return start < 0 ? [to] : keys.slice(Math.min(start, end), Math.max(start, end) + 1);
};
