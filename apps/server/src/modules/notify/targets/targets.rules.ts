/** From so many failures in a row on, a target is failing: it gets one delivery at a time. */
export const failuresUntilProbes = 5;
