import {
  lifecycleSchema,
  type SimEventKind,
  simEventKindSchema,
  simEventReasonSchema,
} from '@simcube/contract/sim';
import { z } from 'zod';
import { inChunks } from '../../platform/collections/index.ts';
import { defineEvent } from '../../platform/outbox/index.ts';

/** Maximum number of SIMs in one fact. */
export const simsPerFact = 500;
/**
 * Rows of an import that are checked and written together, and reported in one fact: each chunk is committed
 * completely or not at all. Few enough that no fact waits long for the end of its transaction.
 */
export const importBatchSize = 5_000;

const simRef = z.object({ simId: z.number(), iccid: z.string() });
const changeFields = {
  /** A person's name, or the part of the system that did it. */
  actor: z.string().nullable(),
  at: z.iso.datetime(),
};

/** The live events for SIMs: the event of each, and that lists have changed. */
const liveEvents = (sims: readonly { iccid: string }[], kind: SimEventKind, at: string) => [
  ...sims.map(({ iccid }) => ({ name: 'sim.event' as const, data: { iccid, kind, at } })),
  { name: 'sim.changed' as const, data: { count: sims.length } },
];

/** SIMs of one organisation whose lifecycle changed to the same state. */
export const simLifecycleChanged = defineEvent({
  topic: 'sim.lifecycle-changed',
  payload: z.object({
    sims: z.array(simRef.extend({ from: lifecycleSchema, at: changeFields.at })).max(simsPerFact),
    to: lifecycleSchema,
    reason: simEventReasonSchema,
    actor: changeFields.actor,
    /** Reference of the task that changed them. */
    task: z.string().optional(),
  }),
  live: ({ sims }) => [
    ...sims.map(({ iccid, at }) => ({
      name: 'sim.event' as const,
      data: { iccid, kind: 'lifecycle-changed' as const, at },
    })),
    { name: 'sim.changed' as const, data: { count: sims.length } },
  ],
});

/** Their sessions must be ended and forgotten. */
export const simReset = defineEvent({
  topic: 'sim.reset',
  payload: z.object({ sims: z.array(simRef).max(simsPerFact), ...changeFields }),
  live: ({ sims, at }) => liveEvents(sims, 'reset', at),
});

/** How an operation restricts the data of SIMs; null: no longer. */
const dataHolds = ['off', 'slow'] as const;
export type DataHold = (typeof dataHolds)[number] | null;

const holdKinds = { off: 'data-off', slow: 'data-slowed' } as const satisfies Record<string, SimEventKind>;

/** An operation stopped or slowed the data of SIMs, or let it continue. */
export const simDataHeld = defineEvent({
  topic: 'sim.data-held',
  payload: z.object({
    sims: z.array(simRef).max(simsPerFact),
    hold: z.enum(dataHolds).nullable(),
    ...changeFields,
  }),
  live: ({ sims, hold, at }) => liveEvents(sims, hold === null ? 'data-on' : holdKinds[hold], at),
});

/** Device names, notes or tags were changed; `kind` is that of the SIM's event. */
export const simUpdated = defineEvent({
  topic: 'sim.updated',
  payload: z.object({
    sims: z.array(simRef.extend({ kind: simEventKindSchema })).max(simsPerFact),
    ...changeFields,
  }),
  live: ({ sims, at }) => [
    ...sims.map(({ iccid, kind }) => ({ name: 'sim.event' as const, data: { iccid, kind, at } })),
    { name: 'sim.changed' as const, data: { count: sims.length } },
  ],
});

/** Events of SIMs were recorded that no other fact reports: screens show them. */
export const simEventsRecorded = defineEvent({
  topic: 'sim.events-recorded',
  payload: z.object({
    sims: z.array(z.object({ iccid: z.string(), kind: simEventKindSchema })).max(simsPerFact),
    at: changeFields.at,
  }),
  live: ({ sims, at }) => sims.map((sim) => ({ name: 'sim.event' as const, data: { ...sim, at } })),
});

/** SIMs were transferred from one organisation to another: one fact for each of the two, distinguished by `side`. */
export const simTransferred = defineEvent({
  topic: 'sim.transferred',
  payload: z.object({
    sims: z.array(simRef).max(simsPerFact),
    side: z.enum(['from', 'to']),
    /** Codes of the organisations. */
    from: z.string(),
    to: z.string(),
    ...changeFields,
  }),
  live: ({ sims, at }) => liveEvents(sims, 'transferred', at),
});

/** New SIMs of one organisation, one chunk of an import at a time. */
export const simImported = defineEvent({
  topic: 'sim.imported',
  payload: z.object({
    count: z.number(),
    /** Those with a pre-activation that ends. */
    simIds: z.array(z.number()).max(importBatchSize).optional(),
  }),
  live: ({ count }) => [{ name: 'sim.changed', data: { count } }],
});

/** Splits SIMs into facts of at most `simsPerFact`. */
export const splitIntoFacts = <S>(sims: readonly S[]): S[][] => inChunks(sims, simsPerFact);
