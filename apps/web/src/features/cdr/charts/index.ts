export { CdrChartsScreen } from './cdr-charts.screen.tsx';
export { cdrChartsSearch } from './charts-search.ts';
