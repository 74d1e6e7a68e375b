import { createContext, use } from 'react';

/** Whether the row is open, if it opens in place. */
export const RowOpened = createContext<boolean | undefined>(undefined);

/** The `aria-expanded` of the link in a row that opens in place. */
export const useRowOpened = (): boolean | undefined => use(RowOpened);
