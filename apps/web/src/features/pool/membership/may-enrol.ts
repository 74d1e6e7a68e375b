import { endpoints } from '@simcube/contract';
import type { Pool } from '@simcube/contract/pool';
import { session } from '../../../lib/session/index.ts';

/** Whether the person may put SIMs into the pool and take them out; the server decides again. */
export const mayEnrol = (pool: Pick<Pool, 'opt_in'> | undefined): boolean => {
  const { key, action } = endpoints.pool.enrol.access;
  return pool?.opt_in === 'manual' && session.can(key, action);
};
