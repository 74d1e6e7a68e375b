import type { SimSelection } from '@simcube/contract/sim';
import type { SimOrder } from '../ordering/ordering.service.ts';
import { resumeRule } from '../ordering/sim-operation.rules.ts';
import { heldAsOf } from './hold.queries.ts';

/** Resumes SIMs; what holds their data is as of now. */
export const resumeOrder = (selected: SimSelection, now: Date): SimOrder<unknown, boolean> => ({
  rule: resumeRule,
  parameters: {},
  remark: null,
  selected,
  more: heldAsOf(now),
});
