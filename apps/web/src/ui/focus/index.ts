export { showFirstWrong } from './first-wrong.ts';
export { landing, useFocusGivenBack, useKeptFocus } from './kept-focus.ts';
export { RowFocus, useTabIndex } from './row-focus.ts';
export { isNowhere, tabStopsIn } from './tab-stops.ts';
