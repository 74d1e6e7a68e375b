import { type ItemKind, labelColumn } from '../../task/index.ts';
import { simItemKind } from '../sim.rules.ts';
import { findOwnIds } from './selection.views.ts';
import { refusalValues } from './sim-operation.rules.ts';

/** SIMs as items of tasks, by their ICCID. */
export const simItems: ItemKind = {
  name: simItemKind,
  columns: [labelColumn('sim.columns.iccid')],
  refusalValues,
  findOwn: findOwnIds,
};
