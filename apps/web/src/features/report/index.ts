import { ReportsScreen } from './reports.screen.tsx';
import { reportsSearch } from './search.ts';

export const reportsPage = { screen: ReportsScreen, read: reportsSearch.parse };
