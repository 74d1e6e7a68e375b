/** The content of a live event, and when it arrived (milliseconds since 1970). */
export interface Heard<T> {
  is: T;
  at: number;
}

/** If a response and an event arrive within this time of each other, either may be the newer one. */
const deliveryMs = 3000;

/** Whether an event may be newer than a response. */
export const mayFollow = ({ at }: Heard<unknown>, answeredAt: number): boolean =>
  at > answeredAt - deliveryMs;

/**
 * Usage of a SIM's running cycle, from the response or the last event, whichever is newer. Usage only grows within a cycle, so if
 * their order is unknown, the larger value is newer.
 */
export const usedBytes = (answered: number, answeredAt: number, heard: Heard<number> | undefined): number => {
  if (!heard) return answered;
  return heard.at > answeredAt + deliveryMs ? heard.is : Math.max(answered, heard.is);
};
