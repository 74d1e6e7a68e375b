import { connections, rejectReasonSchema, simEventKindSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const changesPerFact = 500;

/**
 * Sessions of these SIMs were opened or closed, or their network, address or device changed. SIMs with the same
 * changes are grouped: a batch of intake reports hundreds, and reading the fact is much of its cost to the database.
 */
export const sessionChanged = defineEvent({
  topic: 'aaa.session-changed',
  payload: z.object({
    at: z.iso.datetime(),
    changes: z
      .array(
        z.object({
          iccids: z.array(z.string()).max(changesPerFact),
          status: z.enum(connections),
          /** Whether it differs from the previous value; facts of earlier versions lack this. */
          isNew: z.boolean().default(true),
          /** Kinds of the SIM events that were recorded in the same batch. */
          kinds: z.array(simEventKindSchema),
          /** When the first move to another network happened, if there was one; facts of earlier versions lack this. */
          movedAt: z.iso.datetime().optional(),
        }),
      )
      .max(changesPerFact),
  }),
  live: ({ at, changes }) =>
    changes.flatMap(({ iccids, status, kinds }) =>
      iccids.flatMap((iccid) => [
        { name: 'sim.connection' as const, data: { iccid, status } },
        ...kinds.map((kind) => ({ name: 'sim.event' as const, data: { iccid, kind, at } })),
      ]),
    ),
});

/** SIMs of one organisation have moved to other devices. */
export const imeiChanged = defineEvent({
  topic: 'aaa.imei-changed',
  payload: z.object({
    sims: z
      .array(
        z.object({
          simId: z.number(),
          iccid: z.string(),
          from: z.string(),
          to: z.string(),
          at: z.iso.datetime(),
        }),
      )
      .max(changesPerFact),
  }),
});

/** A session of a SIM whose bundle rejects some countries began in this network, or moved there. */
export const networkEntered = defineEvent({
  topic: 'aaa.network-entered',
  payload: z.object({ simId: z.number(), plmn: z.number().int() }),
});

/** Accounting reported sessions of SIMs that must not be online; `reason` is why their Access-Requests are rejected. */
export const heardWithoutService = defineEvent({
  topic: 'aaa.heard-without-service',
  payload: z.object({
    sims: z.array(z.object({ simId: z.number(), reason: rejectReasonSchema })).max(changesPerFact),
  }),
});

/** SIMs of one organisation that the network has started to reject; each has an event with the reason. */
export const accessRefused = defineEvent({
  topic: 'aaa.access-refused',
  payload: z.object({ at: z.iso.datetime(), iccids: z.array(z.string()).max(changesPerFact) }),
  live: ({ at, iccids }) =>
    iccids.map((iccid) => ({ name: 'sim.event' as const, data: { iccid, kind: 'rejected' as const, at } })),
});

/** Gateways have not done what was requested in any attempt; each SIM has an event with the details. */
export const requestsGivenUp = defineEvent({
  topic: 'aaa.requests-given-up',
  payload: z.object({
    at: z.iso.datetime(),
    sims: z
      .array(z.object({ iccid: z.string(), action: z.enum(['disconnect', 'rate']) }))
      .max(changesPerFact),
  }),
  live: ({ at, sims }) =>
    sims.map(({ iccid, action }) => ({
      name: 'sim.event' as const,
      data: { iccid, kind: failedRequestKinds[action], at },
    })),
});

/** Kinds of the SIM events for requests that were given up. */
const failedRequestKinds = { disconnect: 'disconnect-failed', rate: 'rate-change-failed' } as const;
