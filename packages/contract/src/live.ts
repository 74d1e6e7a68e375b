import { z } from 'zod';
import { simEventKindSchema } from './sim/events.ts';
import { taskStatusSchema, taskTypeSchema } from './task/schemas.ts';

/**
 * Events of the live stream (`GET /identity/sse/connect`). Each is sent as an SSE message whose `id` can be
 * sent back in `Last-Event-ID` and whose `event` is the key below. A stream carries one organisation's events.
 */
export const liveEvents = {
  /** A SIM's session was opened, updated or closed, or its network, address or device changed. */
  'sim.connection': z.object({
    iccid: z.string(),
    status: z.enum(['online', 'connected', 'offline', 'unknown']),
  }),
  /**
   * Usage was counted for these SIMs (at most 1,000 per message): `bytes` is what this batch added, `used` the new usage of
   * the SIM's current cycle. `hours` is what the batch added to each hour of the organisation; if the batch has several
   * messages, the first one has it for all SIMs. `at` is when it was counted. Null values are unknown here: query them.
   */
  'sim.usage': z.object({
    at: z.iso.datetime().nullable(),
    sims: z.array(z.object({ iccid: z.string(), bytes: z.number(), used: z.number().nullable() })),
    bytes: z.number(),
    hours: z.array(z.object({ at: z.iso.datetime(), bytes: z.number() })).nullable(),
  }),
  /** A fact about a SIM was recorded (lifecycle, IMEI change, quota reached, …). */
  'sim.event': z.object({ iccid: z.string(), kind: simEventKindSchema, at: z.iso.datetime() }),
  /**
   * SIMs were added, moved or changed in bulk, or their data was stopped or released without an event of each: lists should be
   * reloaded, and what restricts the data of a SIM on screen.
   */
  'sim.changed': z.object({ count: z.number() }),
  /** Usage of a pool was counted, or its limit, its members or their data state changed. */
  'pool.changed': z.object({ pools: z.array(z.string()) }),
  /** Messages of these SIMs (at most 1,000 per event) were sent or received, or their states changed. */
  'sms.changed': z.object({ iccids: z.array(z.string()) }),
  /** A background task of the stream's person started, progressed or ended; `id` is its reference. */
  'task.progress': z.object({
    id: z.string(),
    userId: z.string(),
    type: taskTypeSchema,
    status: taskStatusSchema,
    done: z.number(),
    quantity: z.number(),
  }),
  /** An account of the organisation was added or removed, or its role, permissions or status changed. */
  'account.changed': z.object({ userId: z.string() }),
  /** The session behind this stream has ended: sign in again. */
  'session.ended': z.object({}),
  /** The stream is open: everything that happens after this message's id is sent. Not sent if the stream resumes from an id. */
  'stream.open': z.object({}),
  /** Too many events were missed to replay them: reload what is on screen. */
  'stream.reset': z.object({}),
} as const;

export type LiveEventName = keyof typeof liveEvents;
export type LiveEvent = {
  [N in LiveEventName]: { name: N; data: z.output<(typeof liveEvents)[N]> };
}[LiveEventName];

/**
 * Whether a response already includes the change behind a live event; if not, the event must be applied to it.
 *
 * @param snapshot of the answer's envelope: PostgreSQL's `xmin:xmax:xip,xip…`, the transactions visible to it
 * @param eventId the message's id, which begins with the transaction of the fact
 */
export const includesEvent = (snapshot: string, eventId: string): boolean => {
  const [first = '', end = '', open = ''] = snapshot.split(':');
  const [transaction = ''] = eventId.split('-');
  if (BigInt(transaction) < BigInt(first)) return true;
  return BigInt(transaction) < BigInt(end) && !open.split(',').includes(transaction);
};

/** Whether a response includes every fact up to that of this event; facts that it lacks then follow the event. */
export const includesAllUpTo = (snapshot: string, eventId: string): boolean =>
  BigInt(eventId.split('-')[0] ?? '') < BigInt(snapshot.split(':')[0] ?? '');
