export { CdrsScreen } from './list/cdrs.screen.tsx';
export { cdrSearch } from './search.ts';
