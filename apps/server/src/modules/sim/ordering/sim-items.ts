import { type ItemKind, labelColumn } from '../../task/index.ts';
import { messageItemKind, simItemKind } from '../sim.rules.ts';
import { findOwnIds } from './selection.views.ts';
import { busyRefusal } from './sim-operation.rules.ts';

/** SIMs as items of tasks, shown by their ICCID. */
export const simItems: ItemKind = {
  name: simItemKind,
  columns: [labelColumn('sim.columns.iccid')],
  busy: busyRefusal,
  findOwn: findOwnIds,
};

/**
 * SIMs that receive a text. A message does not change a SIM, so messages and operations do not exclude each
 * other: only a pending message excludes a second one.
 */
export const messageRecipients: ItemKind = { ...simItems, name: messageItemKind };
