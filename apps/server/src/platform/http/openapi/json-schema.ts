import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Schema } from './document-fields.ts';

type Options = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

/** Dates and times are named by their format alone: generators can't read the long patterns that also describe them. */
const formatAlone: Pick<Options, 'override'> = {
  override: ({ jsonSchema }) => {
    if (jsonSchema.format !== 'date' && jsonSchema.format !== 'date-time') return;
    delete jsonSchema.allOf;
    delete jsonSchema.pattern;
  },
};

/** Documents the schemas of a route. */
export const jsonSchemaTransform = createJsonSchemaTransform({ zodToJsonConfig: formatAlone });

/** The schema of a request that the server sends: without an end to its fields, because a newer server may add some. */
export const sentSchemaOf = (schema: z.ZodType): Schema => {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { ...formatAlone, io: 'input' });
  return written as Schema;
};
