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
  payload: z.object({ sims: z.array(named).max(messagesPerFact) }),
  live,
});

/** A SIM sent a message. */
export const smsReceived = defineEvent({
  topic: 'sms.received',
  payload: z.object({ sims: z.array(named).max(1), at: z.iso.datetime(), messageId: z.number() }),
  live,
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
