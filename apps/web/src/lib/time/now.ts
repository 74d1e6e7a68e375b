/** Milliseconds since 1970 at this moment, for what happens once; what is shown follows `useNow`. */
export const now = (): number => Date.now();
