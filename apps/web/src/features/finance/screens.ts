import { BillScreen } from './bill/bill.screen.tsx';
import { billSearch, billSimsSearch } from './search.ts';
import { BillSimsScreen } from './sims/bill-sims.screen.tsx';

export const billPage = { screen: BillScreen, read: billSearch.parse };
export const billSimsPage = { screen: BillSimsScreen, read: billSimsSearch.parse };
