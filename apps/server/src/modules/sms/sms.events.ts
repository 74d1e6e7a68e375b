import { smsEncodings, smsIdSchema, smsReasons, smsStatusSchema } from '@simcube/contract/sms';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of messages in one fact. */
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
    /** Messages whose status changed. */
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
    /** When messages to these SIMs were accepted; missing in facts about changed states. */
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
    /** Facts of earlier versions lack this. */
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

/** The final result of a text to a phone; a null reason means delivered. */
export const smsTextSettled = defineEvent({
  topic: 'sms.text-settled',
  payload: z.object({
    reference: z.string(),
    reason: z.enum(smsReasons).nullable(),
    at: z.iso.datetime(),
  }),
});

/** Messages to SIMs were suspended or resumed. */
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
