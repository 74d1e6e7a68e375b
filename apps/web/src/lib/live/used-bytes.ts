/** What a live event carried, and when it came (milliseconds since 1970). */
export interface Heard<T> {
  is: T;
  at: number;
}

/** Between an answer and an event that come within this time, either may be the newer one. */
const deliveryMs = 3000;

/** Whether an event may be newer than an answer. */
export const mayFollow = ({ at }: Heard<unknown>, answeredAt: number): boolean =>
  at > answeredAt - deliveryMs;

/**
 * Usage of a SIM's running cycle: of its answer and its last event, the newer one. Within a cycle usage only grows, so
 * the greater one is newer where their order is not known.
 */
export const usedBytes = (answered: number, answeredAt: number, heard: Heard<number> | undefined): number => {
  if (!heard) return answered;
  return heard.at > answeredAt + deliveryMs ? heard.is : Math.max(answered, heard.is);
};
