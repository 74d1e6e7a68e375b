import { type ItemKind, labelColumn } from '../../task/index.ts';
import { simItemKind, textedItemKind } from '../sim.rules.ts';
import { findOwnIds } from './selection.views.ts';
import { refusalValues } from './sim-operation.rules.ts';

/** SIMs as items of tasks, by their ICCID. */
export const simItems: ItemKind = {
  name: simItemKind,
  columns: [labelColumn('sim.columns.iccid')],
  refusalValues,
  findOwn: findOwnIds,
};

/**
 * SIMs that a text is sent to. A message changes nothing of a SIM, so that it and operations do not wait for one another: what
 * excludes a second message is the one that a task still has to send.
 */
export const textedSims: ItemKind = { ...simItems, name: textedItemKind };
