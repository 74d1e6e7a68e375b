import { smsEncodings, smsIdSchema, smsReasons, smsStatusSchema } from '@simcube/contract/sms';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** The most messages that one fact names. */
export const messagesPerFact = 500;

const named = z.object({ simId: z.number(), iccid: z.string() });

const live = ({ sims }: { sims: readonly { iccid: string }[] }) => [
  { name: 'sms.changed' as const, data: { iccids: [...new Set(sims.map(({ iccid }) => iccid))] } },
];

/** Messages to SIMs were accepted, or changed their states. */
export const smsChanged = defineEvent({
  topic: 'sms.changed',
  payload: z.object({
    sims: z.array(named).max(messagesPerFact),
    /** Those of which the status is another than before. */
    messages: z
      .array(
        z.object({
          iccid: z.string(),
          id: smsIdSchema,
          status: smsStatusSchema,
          reason: z.enum(smsReasons).nullable(),
        }),
      )
      .max(messagesPerFact)
      .default([]),
    at: z.iso.datetime().optional(),
    /** When messages to these SIMs were accepted; facts of changed states have none. */
    acceptedAt: z.iso.datetime().optional(),
  }),
  live,
});

/** A SIM sent a message. */
export const smsReceived = defineEvent({
  topic: 'sms.received',
  payload: z.object({
    sims: z.array(named).max(1),
    at: z.iso.datetime(),
    messageId: z.number(),
    /** Facts of former versions go without it. */
    message: z
      .object({
        id: smsIdSchema,
        content: z.string(),
        encoding: z.enum(smsEncodings),
        replyTo: smsIdSchema.nullable(),
      })
      .optional(),
  }),
  live,
});

/** The last word about a text to a phone; a reason of null: it was delivered. */
export const smsTextSettled = defineEvent({
  topic: 'sms.text-settled',
  payload: z.object({
    reference: z.string(),
    reason: z.enum(smsReasons).nullable(),
    at: z.iso.datetime(),
  }),
});

/** Messages are no longer sent to SIMs, or again. */
export const smsSuspensionChanged = defineEvent({
  topic: 'sms.suspension-changed',
  payload: z.object({
    sims: z.array(named).max(messagesPerFact),
    isSuspended: z.boolean(),
    at: z.iso.datetime(),
  }),
  live: ({ sims, isSuspended, at }) => [
    ...sims.map(({ iccid }) => ({
      name: 'sim.event' as const,
      data: { iccid, kind: isSuspended ? ('sms-suspended' as const) : ('sms-resumed' as const), at },
    })),
    { name: 'sim.changed' as const, data: { count: sims.length } },
  ],
});
