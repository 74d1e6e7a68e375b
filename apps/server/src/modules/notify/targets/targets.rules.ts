/** From this many failures in a row a target counts as failing: it gets one delivery at a time. */
export const failuresUntilProbes = 5;
