import type { Lifecycle, SimSelection } from '@simcube/contract/sim';
import { type Selection, selectedCount } from '../../../ui/data-table/index.ts';
import { type SimSearch, simFilterOf } from '../search.ts';

/**
 * The selection in the operations' format; an empty selection means all matching SIMs, optionally limited to some states. If the
 * filter admits none of these, it stays as it is: the preview says why nothing can be done.
 */
export const selectionOf = (
  selection: Selection,
  search: SimSearch,
  lifecycle?: Lifecycle[],
): SimSelection => {
  if (selection.kind === 'some' && selectedCount(selection, 0) > 0) return { iccids: [...selection.keys] };
  const filter = simFilterOf(search);
  if (selection.kind === 'some') {
    const states = lifecycle?.filter((state) => filter.lifecycle?.includes(state) ?? true) ?? [];
    return { filter: states.length > 0 ? { ...filter, lifecycle: states } : filter };
  }
  return {
    filter,
    ...(selection.except.size > 0 ? { except: [...selection.except] } : {}),
  };
};
