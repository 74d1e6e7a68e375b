import type { Channel } from '@simcube/contract/notify';

/*
 * How many deliveries of each lane are attempted concurrently. A lane starts narrow, widens with each success
 * and shrinks to one with a failure: a slow or dead receiver occupies few slots, and never those of others.
 */

const firstWindow = 4;
/** Each mail is a separate connection to one server; a program may accept many concurrent requests. */
const maxWindow: Record<Channel, number> = { email: 8, sms: 50, api: 100 };
/** For all lanes together. */
const maxConcurrent = 500;
const idleLaneMs = 60_000;

interface Lane {
  window: number;
  busy: number;
  usedAt: number;
}

export interface Lanes {
  /** What the next claim may take. */
  capacity(now: Date): { lanes: number[]; capacities: number[]; firstCapacity: number; limit: number };
  busy(): number;
  began(lane: number, now: Date): void;
  ended(lane: number, channel: Channel, result: 'success' | 'failure' | 'neither'): void;
}

export const createLanes = (): Lanes => {
  const lanes = new Map<number, Lane>();
  let busy = 0;
  return {
    capacity(now) {
      for (const [id, lane] of lanes)
        if (lane.busy === 0 && now.getTime() - lane.usedAt > idleLaneMs) lanes.delete(id);
      const known = [...lanes];
      return {
        lanes: known.map(([id]) => id),
        capacities: known.map(([, lane]) => Math.max(0, lane.window - lane.busy)),
        firstCapacity: firstWindow,
        limit: maxConcurrent - busy,
      };
    },
    busy: () => busy,
    began(id, now) {
      const lane = lanes.get(id) ?? { window: firstWindow, busy: 0, usedAt: 0 };
      lanes.set(id, lane);
      lane.busy += 1;
      lane.usedAt = now.getTime();
      busy += 1;
    },
    ended(id, channel, result) {
      const lane = lanes.get(id);
      if (!lane) return;
      lane.busy -= 1;
      busy -= 1;
      if (result === 'success') lane.window = Math.min(maxWindow[channel], lane.window + 1);
      if (result === 'failure') lane.window = 1;
    },
  };
};
