import type { SimSelection } from '@simcube/contract/sim';
import type { SimOrder } from '../ordering/ordering.service.ts';
import { resumeRule } from '../ordering/sim-operation.rules.ts';
import { findHeldAt } from './hold.queries.ts';

/** Resumes SIMs, with what currently holds their data. */
export const resumeOrder = (selected: SimSelection, now: Date): SimOrder<unknown, boolean> => ({
  rule: resumeRule,
  parameters: {},
  remark: null,
  selected,
  extraFacts: findHeldAt(now),
});
