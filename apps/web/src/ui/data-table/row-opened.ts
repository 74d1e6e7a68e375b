import { createContext, use } from 'react';

/** Of a row that opens in place: whether it is open. */
export const RowOpened = createContext<boolean | undefined>(undefined);

/** What the link of a row that opens in place says: `aria-expanded`. */
export const useRowOpened = (): boolean | undefined => use(RowOpened);
