import { createContext, use } from 'react';

/** Whether the row is open, if it opens in place. */
export const RowExpanded = createContext<boolean | undefined>(undefined);

/** The `aria-expanded` of the link in a row that opens in place. */
export const useRowExpanded = (): boolean | undefined => use(RowExpanded);
