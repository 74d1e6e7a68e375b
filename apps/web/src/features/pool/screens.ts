export { PoolScreen } from './detail/pool.screen.tsx';
export { poolPageSearch } from './search.ts';
