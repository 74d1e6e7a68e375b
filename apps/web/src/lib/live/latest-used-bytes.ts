/** The content of a live event, and when it arrived (milliseconds since 1970). */
export interface Received<T> {
  value: T;
  at: number;
}

/** If a response and an event arrive within this time of each other, either may be the newer one. */
const reorderingMs = 3000;

/** Whether an event may be newer than a response. */
export const mayBeNewer = ({ at }: Received<unknown>, responseAt: number): boolean =>
  at > responseAt - reorderingMs;

/**
 * Usage of a SIM's running cycle, from the response or the last event, whichever is newer. Usage only grows within a cycle, so if
 * their order is unknown, the larger value is newer.
 */
export const latestUsedBytes = (
  response: number,
  responseAt: number,
  event: Received<number> | undefined,
): number => {
  if (!event) return response;
  return event.at > responseAt + reorderingMs ? event.value : Math.max(response, event.value);
};
