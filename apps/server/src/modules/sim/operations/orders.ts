import type { SimSelection } from '@simcube/contract/sim';
import type { SimOrder } from '../ordering/ordering.service.ts';
import {
  deviceNameRule,
  notesRule,
  type OperationRule,
  resetRule,
  suspendRule,
  type TagChange,
  tagsRule,
  terminateRule,
} from '../ordering/sim-operation.rules.ts';

// The orders of the operations, the same from the console, the API and the command line.

const orderWithoutParameters =
  (rule: OperationRule) =>
  (selected: SimSelection): SimOrder<unknown> => ({ rule, parameters: {}, remark: null, selected });

export const suspendOrder = orderWithoutParameters(suspendRule);
export const terminateOrder = orderWithoutParameters(terminateRule);
export const resetOrder = orderWithoutParameters(resetRule);

/** An empty name clears the device name. */
export const deviceNameOrder = (selected: SimSelection, name: string | null): SimOrder<unknown> => {
  const parameters = { device_name: name || null };
  return {
    rule: deviceNameRule,
    parameters,
    remark: parameters.device_name,
    selected,
    auditDetails: parameters,
  };
};

/** An empty text clears the notes. */
export const notesOrder = (selected: SimSelection, notes: string | null): SimOrder<unknown> => {
  const parameters = { notes: notes || null };
  return { rule: notesRule, parameters, remark: null, selected, auditDetails: parameters };
};

export const tagsOrder = (selected: SimSelection, { add, remove }: TagChange): SimOrder<TagChange> => ({
  rule: tagsRule,
  parameters: { add, remove },
  remark: [...add.map((tag) => `+${tag}`), ...remove.map((tag) => `−${tag}`)].join(' '),
  selected,
  auditDetails: { add, remove },
});
