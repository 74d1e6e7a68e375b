import { type EndpointShape, inputIssuesOf } from '@simcube/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findBrokenText } from './broken-text.ts';
import { Failure } from './failure.ts';

const issuesAtMost = 50;

/** The parsed input, or a failure that names each wrong field by its path and what is wrong with it. */
export const validated = (schema: z.ZodType, input: unknown) => {
  const parsed = parse(schema, input);
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap(inputIssuesOf).slice(0, issuesAtMost);
    return { error: new Failure('CB-00-0400', { issues }) };
  }
  const path = findBrokenText(parsed.data);
  if (path === undefined) return { value: parsed.data };
  return { error: new Failure('CB-00-0400', { issues: [{ path, key: 'brokenText' }] }) };
};

/** Of a part that the record knows nothing of; some libraries send a body of nothing with every call. */
const nothing = z.strictObject({}).nullish();

/** A call without a query or a body is given none: what is misspelt there must not look as if it counted. */
export const refuseUnasked = (endpoint: EndpointShape, { query, body }: FastifyRequest): void => {
  const parts = [...(endpoint.query ? [] : [query]), ...(endpoint.body || endpoint.upload ? [] : [body])];
  for (const part of parts) {
    const { error } = validated(nothing, part);
    if (error) throw error;
  }
};

/** A body that is not there is one without any field, so that those it must have are named. */
const parse = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input, { reportInput: true });
  return parsed.success || input !== null ? parsed : schema.safeParse({}, { reportInput: true });
};
