export { CdrChartsScreen } from './charts/cdr-charts.screen.tsx';
export { cdrChartsSearch } from './charts/charts-search.ts';
