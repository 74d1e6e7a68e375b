/** Failures in a row from which on a target counts as failing: it gets one delivery at a time. */
export const failuresUntilProbes = 5;
