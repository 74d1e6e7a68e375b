import { createContext, use } from 'react';

/** Whether Tab reaches controls here: among the rows of a list, only those in the current one. */
export const RowFocus = createContext(true);

/** The `tabIndex` of a control that may be in a row. */
export const useTabIndex = (): -1 | undefined => (use(RowFocus) ? undefined : -1);
