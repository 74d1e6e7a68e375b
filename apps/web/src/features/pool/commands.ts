/** For the shell, which has no screen of pools. */
export { readSharedPools } from './api/read-shared-pools.ts';
