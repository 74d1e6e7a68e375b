import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';

/** Whether a SIM has data: without restrictions, at a limited rate, or not at all. */
export const dataStates = ['open', 'slowed', 'stopped'] as const;
export type DataState = (typeof dataStates)[number];

/** The states of SIMs whose data is restricted. */
export const restrictedDataStates = ['slowed', 'stopped'] as const satisfies readonly DataState[];

/**
 * What restricts a SIM's data: its bundle's overage policy; its shared pool, which is over its limit; or the operation of a
 * rule, until the SIM is resumed.
 */
export const dataRestrictions = ['quota', 'pool', 'rule'] as const;
export type DataRestriction = (typeof dataRestrictions)[number];

/**
 * The data of a SIM whose lifecycle allows it, by the rule that decides Access-Requests. What depends on the visited country
 * is not included.
 */
export const simDataSchema = z.object({
  state: z.enum(dataStates),
  /** The rate limit while slowed: the lowest of those that apply. */
  kbps: z.number().int().nullable(),
  /** What applies now, each at most once. */
  restrictions: z
    .array(
      z.object({
        by: z.enum(dataRestrictions),
        /** Null: no data. */
        kbps: z.number().int().nullable(),
        /** It ends then; null without an end. */
        until: instantSchema.nullable(),
      }),
    )
    .max(dataRestrictions.length),
});
export type SimData = z.output<typeof simDataSchema>;
