export { PoolsScreen } from './list/pools.screen.tsx';
export { poolSearch } from './search.ts';
