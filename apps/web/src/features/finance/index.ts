import { FinanceScreen } from './list/finance.screen.tsx';
import { billsSearch } from './search.ts';

export const financePage = { screen: FinanceScreen, read: billsSearch.parse };
