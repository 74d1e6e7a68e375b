export { SmallTable } from './small-table.tsx';
