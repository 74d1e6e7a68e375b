import { createContext, use } from 'react';

/** Whether Tab reaches what stands here: of all rows of a list, the controls of the current one alone. */
export const RowFocus = createContext(true);

/** The `tabIndex` of a control that may stand in a row. */
export const useTabIndex = (): -1 | undefined => (use(RowFocus) ? undefined : -1);
