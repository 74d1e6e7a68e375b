import { z } from 'zod';
import { simEventKindSchema } from './sim/events.ts';
import { taskStatusSchema, taskTypeSchema } from './task/schemas.ts';

/**
 * Events of the live stream (`GET /identity/sse/connect`). Each is sent as an SSE message whose `id` can be
 * given back in `Last-Event-ID` and whose `event` is the key below. A stream carries one organisation's events.
 */
export const liveEvents = {
  /** A SIM's session was opened, updated or closed, or its network, address or device changed. */
  'sim.connection': z.object({
    iccid: z.string(),
    status: z.enum(['online', 'connected', 'offline', 'unknown']),
  }),
  /**
   * Usage was counted for these SIMs (at most 1,000 per message): `bytes` is what this batch added, `used` the usage of
   * the SIM's running cycle from now on. `hours` is what the batch added to each hour of the organisation; of SIMs beyond
   * the first 1,000 it stands in the first message. `at` is when it was counted. What is null is not known here: ask again.
   */
  'sim.usage': z.object({
    at: z.iso.datetime().nullable(),
    sims: z.array(z.object({ iccid: z.string(), bytes: z.number(), used: z.number().nullable() })),
    bytes: z.number(),
    hours: z.array(z.object({ at: z.iso.datetime(), bytes: z.number() })).nullable(),
  }),
  /** A fact about a SIM was recorded (lifecycle, IMEI change, quota reached, …). */
  'sim.event': z.object({ iccid: z.string(), kind: simEventKindSchema, at: z.iso.datetime() }),
  /** SIMs were added, moved or changed in bulk: lists should be read again. */
  'sim.changed': z.object({ count: z.number() }),
  /** Usage of a pool was counted, or its limit, its members or what they may do changed. */
  'pool.changed': z.object({ pools: z.array(z.string()) }),
  /** Messages were sent, received, or changed their states: those of these SIMs (at most 1,000 per message). */
  'sms.changed': z.object({ iccids: z.array(z.string()) }),
  /** A background task of the stream's person began, moved on or ended; `id` is its reference. */
  'task.progress': z.object({
    id: z.string(),
    userId: z.string(),
    type: taskTypeSchema,
    status: taskStatusSchema,
    done: z.number(),
    quantity: z.number(),
  }),
  /** An account of the organisation was added or removed, or its role, rights or status changed. */
  'account.changed': z.object({ userId: z.string() }),
  /** The session behind this stream has ended: sign in again. */
  'session.ended': z.object({}),
  /** The stream is open: whatever happens after this message's id is sent. Not sent when it goes on after an id. */
  'stream.open': z.object({}),
  /** Too much was missed to replay: read again what is on screen. */
  'stream.reset': z.object({}),
} as const;

export type LiveEventName = keyof typeof liveEvents;
export type LiveEvent = {
  [N in LiveEventName]: { name: N; data: z.output<(typeof liveEvents)[N]> };
}[LiveEventName];

/**
 * Whether an answer holds what the fact behind a live event changed; one that does not gets it by the event.
 *
 * @param snapshot of the answer's envelope: PostgreSQL's `xmin:xmax:xip,xip…`, the transactions that it saw
 * @param eventId the message's id, which begins with the transaction of the fact
 */
export const holdsEvent = (snapshot: string, eventId: string): boolean => {
  const [first = '', end = '', open = ''] = snapshot.split(':');
  const [transaction = ''] = eventId.split('-');
  if (BigInt(transaction) < BigInt(first)) return true;
  return BigInt(transaction) < BigInt(end) && !open.split(',').includes(transaction);
};

/** Whether an answer holds every fact up to this event's; then those that it does not hold come after that event. */
export const holdsAllUpTo = (snapshot: string, eventId: string): boolean =>
  BigInt(eventId.split('-')[0] ?? '') < BigInt(snapshot.split(':')[0] ?? '');
