import { isBrokenText } from '@simcube/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/** Longer than any key: the longest texts are names, of which one character may become eighteen when folded. */
const longestText = 2000;

/**
 * A timestamp as PostgreSQL writes it (UTC, microseconds), or infinite. It must be a valid date: a cursor comes
 * from outside, and an invalid one must be rejected before it reaches the database.
 */
const instantText = z
  .string()
  .regex(/^(-?infinity|\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00)$/)
  .refine((text) => {
    if (text.endsWith('infinity')) return true;
    const day = text.slice(0, 10);
    const at = new Date(`${day}T${text.slice(11, 19)}Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && day > '0001';
  });

/**
 * How values of a key are encoded in a cursor (as the database writes them), and the type as which they are
 * compared.
 */
const keyTypes = {
  text: {
    schema: z
      .string()
      .max(longestText)
      .refine((text) => !isBrokenText(text)),
    cast: sql`text`,
  },
  integer: { schema: z.string().regex(/^-?\d{1,18}$/), cast: sql`bigint` },
  instant: { schema: instantText, cast: sql`timestamptz` },
  date: { schema: z.iso.date().refine((text) => text > '0001'), cast: sql`date` },
  uuid: { schema: z.uuid(), cast: sql`uuid` },
} as const satisfies Record<string, { schema: z.ZodType<string>; cast: RawBuilder<unknown> }>;

export type KeyType = keyof typeof keyTypes;

export const isKeyText = (type: KeyType, text: unknown): text is string =>
  keyTypes[type].schema.safeParse(text).success;

export const keyValue = (type: KeyType, text: string): RawBuilder<unknown> =>
  sql`${text}::${keyTypes[type].cast}`;
