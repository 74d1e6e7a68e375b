import { session } from '../lib/session/index.ts';

/** Whether the person may see shared pools and the organisation has one, according to the data stored in this browser. */
export const hasSharedPools = (): boolean =>
  session.can('shared-pool-cube') && (session.get('sharedPool')?.length ?? 0) > 0;
