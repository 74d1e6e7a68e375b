/** The current time in milliseconds since 1970, for one-off use; values on screen use `useNow`. */
export const now = (): number => Date.now();
