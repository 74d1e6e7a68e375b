export { focusFirstInvalid } from './first-invalid.ts';
export { focusFallback, restoreFocus, useFocusHandover, useFocusRestore } from './focus-restore.ts';
export { RowFocus, useTabIndex } from './row-focus.ts';
export { isFocusLost, tabStopsIn } from './tab-stops.ts';
