import { everyCall } from './every-call.ts';
import { orders } from './orders.ts';
import { sims } from './sims.ts';
import type { FieldDescriptions } from './types.ts';

/** Descriptions for calls of all domains. */
export const shared: FieldDescriptions = { ...everyCall, ...sims, ...orders };
