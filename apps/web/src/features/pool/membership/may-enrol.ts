import { endpoints } from '@simcube/contract';
import type { Pool } from '@simcube/contract/pool';
import { session } from '../../../lib/session/index.ts';

/** Whether the person may add SIMs to the pool and remove them; the server checks again. */
export const mayEnrol = (pool: Pick<Pool, 'opt_in'> | undefined): boolean => {
  const { key, action } = endpoints.pool.enrol.access;
  return pool?.opt_in === 'manual' && session.can(key, action);
};
