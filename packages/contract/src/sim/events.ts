import { z } from 'zod';
import { overagePolicies } from '../bundle/schemas.ts';
import { bytesSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import { pageSchema } from '../paging.ts';
import { lifecycleSchema, radioTypeSchema } from './schemas.ts';

/** Reasons for rejecting a SIM's Access-Requests and for ending sessions that it must not have. */
export const rejectReasons = [
  'identity-missing',
  'unknown-sim',
  'not-activated',
  'paused',
  'expired',
  'terminated',
  'quota-used',
  'pool-used-up',
  'data-off',
  'apn-not-allowed',
  'outside-coverage',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
export const rejectReasonSchema = z.enum(rejectReasons);

/** Reasons for events of a SIM, its orders or its sessions. Phrases: `sim.events.reasons`. */
export const simEventReasons = [
  ...rejectReasons,
  // Consequences of a lifecycle change have the new lifecycle as their reason; three of these are listed above.
  'pre-activated',
  'active',
  'activation',
  'suspend',
  'resume',
  'termination',
  'renewal',
  'reset',
  'undone',
  'transferred',
  'pre-activation-ended',
  'test-quota-used',
  'last-order-ended',
  'grace-over',
  'bundle-ordered',
  'bundle-started',
  'bundle-changed',
  'ordered',
  'activated',
  'order-ended',
  'order-before-ended',
  'used-up',
  'no-bundle',
  'cycle-turned',
  'data-slowed',
  'reconciled',
] as const;
export type SimEventReason = (typeof simEventReasons)[number];
export const simEventReasonSchema = z.enum(simEventReasons);

/** Result of a Disconnect- or CoA-Request (RFC 5176). */
export const controlResults = ['ack', 'nak', 'timeout', 'gateway-unknown'] as const;
export type ControlResult = (typeof controlResults)[number];

/** Topics of the status trace, for filters. */
export const simTraceTopics = ['lifecycle', 'orders', 'usage', 'device', 'network'] as const;
export type SimTraceTopic = (typeof simTraceTopics)[number];

interface Declaration<F extends z.ZodObject> {
  facts: F;
  /** Topic of the event in the status trace; null: shown only in the SIM's events. */
  trace: SimTraceTopic | null;
}

/** Null facts, like omitted ones, are not shown. */
const kind = <F extends z.ZodRawShape>(
  trace: SimTraceTopic | null,
  facts: F,
): Declaration<z.ZodObject<F, z.core.$strict>> => ({ trace, facts: z.strictObject(facts) });

const reason = simEventReasonSchema;
const order = { bundle: z.string(), order: z.string().optional(), reason: reason.optional() };
const usage = {
  used_bytes: bytesSchema,
  limit_bytes: bytesSchema.nullable(),
  policy: z.enum(overagePolicies).nullable(),
};
/** A request to a gateway about one session. `gateway` is its name; null if it is no longer known. */
const request = { session: z.string(), gateway: z.string().nullable(), reason };
/** The requested rate limit; null removes the limit. */
const rate_kbps = z.number().int().nullable();
const answered = {
  ...request,
  result: z.enum(controlResults),
  /** Error-Cause (RFC 5176, 3.5); null if the gateway sent none. */
  error_cause: z.number().int().nullable(),
};
const unanswered = { ...request, attempts: z.number().int() };
const tags = { tags_before: z.string(), tags: z.string() };

/**
 * All kinds of SIM events, with the facts that are recorded and their topic in the status trace. Phrases: `sim.events.kinds`;
 * colours in the console: `features/sim/event-text.ts`.
 */
export const simEvents = {
  'lifecycle-changed': kind('lifecycle', { from: lifecycleSchema, to: lifecycleSchema, reason }),
  'pre-activation-ended': kind('lifecycle', { reason }),
  /** `from` and `to` are organisation codes. */
  transferred: kind('lifecycle', { from: z.string(), to: z.string() }),
  reset: kind('network', {}),
  'bundle-ordered': kind('orders', order),
  'bundle-started': kind('orders', order),
  'bundle-ended': kind('orders', order),
  'quota-reached': kind('usage', usage),
  'data-stopped': kind('usage', usage),
  'imei-changed': kind('device', { from: z.string(), to: z.string() }),
  /** The text of notes is not recorded. */
  updated: kind(null, {
    device_name_before: z.string().nullable().optional(),
    device_name: z.string().nullable().optional(),
    notes: z.literal(true).optional(),
    tags_before: tags.tags_before.optional(),
    tags: tags.tags.optional(),
  }),
  'tags-changed': kind(null, tags),
  /** By an operation, until a new cycle starts or somebody resumes the SIM. */
  'data-off': kind('lifecycle', {}),
  'data-slowed': kind('lifecycle', { rate_kbps: rate_kbps.unwrap() }),
  'data-on': kind('lifecycle', {}),
  'sms-suspended': kind('lifecycle', {}),
  'sms-resumed': kind('lifecycle', {}),
  /** Networks in the form `262-02`. */
  'network-changed': kind('network', { from: z.string(), to: z.string() }),
  'session-started': kind(null, {
    session: z.string(),
    network: z.string().nullable(),
    radio: radioTypeSchema.nullable(),
    cell: z.string().nullable(),
    apn: z.string().nullable(),
    ip: z.string().nullable(),
  }),
  /** `cause`: name of the Acct-Terminate-Cause (RFC 2866, 5.10), or a cause inferred by AAA. */
  'session-stopped': kind(null, { session: z.string(), cause: z.string().nullable(), bytes: bytesSchema }),
  rejected: kind(null, {
    reason: rejectReasonSchema,
    apn: z.string().optional(),
    plmn: z.string().optional(),
  }),
  'network-disconnect': kind(null, answered),
  'network-coa': kind(null, { ...answered, rate_kbps }),
  'disconnect-failed': kind(null, unanswered),
  'rate-change-failed': kind(null, { ...unanswered, rate_kbps }),
} as const satisfies Record<string, Declaration<z.ZodObject>>;

export type SimEventKind = keyof typeof simEvents;
export type SimEventFacts<K extends SimEventKind = SimEventKind> = z.output<(typeof simEvents)[K]['facts']>;

/** Names of facts of all kinds. */
export type SimEventFact = { [K in SimEventKind]: keyof SimEventFacts<K> }[SimEventKind] & string;

export const simEventKinds = Object.keys(simEvents) as SimEventKind[];
export const simEventKindSchema = z.enum(simEventKinds);

export const isSimEventKind = (name: string): name is SimEventKind => Object.hasOwn(simEvents, name);

/** Kinds that the status trace shows. */
export const tracedSimEvents = simEventKinds.filter((name) => simEvents[name].trace !== null);

/** An event in a response; events recorded by another version of the server may have kinds and facts that are not declared. */
export const simEventSchema = z.object({
  id: z.string(),
  at: instantSchema,
  kind: z.string(),
  /** By kind: `from`, `to`, `network`, `imei`, `bytes`, … */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Operators and countries, where known, of the networks that the facts contain as codes (`262-02`). */
  networks: z
    .record(
      z.string(),
      z.object({ operator: z.string().nullable(), country: z.string().length(2).nullable() }),
    )
    .optional(),
  actor: z.string().nullable(),
  trace_id: z.string().nullable(),
});
export type SimEvent = z.output<typeof simEventSchema>;

export const simEventQuerySchema = pageSchema.extend({ iccid: iccidSchema });

export const statusTraceSchema = simEventSchema.extend({ task_id: z.string().nullable() });
export type StatusTrace = z.output<typeof statusTraceSchema>;
