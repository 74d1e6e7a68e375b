/**
 * Whether an event is the second click of a double click. The first one opened a window under the pointer, so the second one is
 * outside of it, and must not close it.
 */
export const isSecondClick = ({ detail }: { detail?: unknown }): boolean =>
  typeof detail === 'number' && detail > 1;
