import { type EndpointShape, type InputIssue, toInputIssues } from '@simcube/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findBrokenText } from './broken-text.ts';
import { Failure } from './failure.ts';

const maxIssues = 50;

/** The parsed input, or a failure that names the path of each invalid field and the problem. */
export const validate = (schema: z.ZodType, input: unknown) => {
  const parsed = parse(schema, input);
  if (!parsed.success) {
    const issues = onePerField(causesOf(parsed.error.issues).flatMap(toInputIssues)).slice(0, maxIssues);
    return { error: new Failure('CB-00-0400', { issues }) };
  }
  const path = findBrokenText(parsed.data);
  if (path === undefined) return { value: parsed.data };
  return { error: new Failure('CB-00-0400', { issues: [{ path, key: 'brokenText' }] }) };
};

/** Numbers of pages, which a query has as texts. */
const pageNumbers = ['page_no', 'page_size'];

/** The same for a body, in which a number is not given as a text. */
export const validateBody = (schema: z.ZodType, body: unknown): ReturnType<typeof validate> => {
  const texts = Object.entries(body ?? {}).filter(
    ([name, value]) => pageNumbers.includes(name) && typeof value === 'string',
  );
  if (texts.length === 0) return validate(schema, body);
  const issues = texts.map(([path]) => ({ path, key: 'invalidNumber' }) as const);
  return { error: new Failure('CB-00-0400', { issues }) };
};

/** Zod also measures a text where a list belongs; its length says nothing beside its wrong type. */
const causesOf = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const isWrongType = ({ code }: z.core.$ZodIssue) => code === 'invalid_type';
  const wrongTypes = new Set(issues.filter(isWrongType).map(({ path }) => path.join('.')));
  return issues.filter((issue) => isWrongType(issue) || !wrongTypes.has(issue.path.join('.')));
};

/** Of several checks of one field the first counts, as that of a date before that of its year; the smallest maximum. */
const onePerField = (issues: readonly InputIssue[]): InputIssue[] => {
  const byPath = new Map<string, InputIssue>();
  for (const issue of issues) {
    const first = byPath.get(issue.path);
    if (!first || isTighter(issue, first)) byPath.set(issue.path, issue);
  }
  return [...byPath.values()];
};

const isTighter = (issue: InputIssue, first: InputIssue): boolean =>
  issue.key === 'tooBig' &&
  first.key === 'tooBig' &&
  Number(issue.values?.['max']) < Number(first.values?.['max']);

/** For a part that the record does not declare; some libraries send an empty body with every call. */
const noInput = z.strictObject({}).nullish();

/** Refuses a query or body that the call does not declare: a misspelt one must not be ignored silently. */
export const refuseUndeclaredInput = (endpoint: EndpointShape, { query, body }: FastifyRequest): void => {
  const parts = [...(endpoint.query ? [] : [query]), ...(endpoint.body || endpoint.upload ? [] : [body])];
  for (const part of parts) {
    const { error } = validate(noInput, part);
    if (error) throw error;
  }
};

/** A missing body is treated as one without fields, so that the error names the required ones. */
const parse = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input, { reportInput: true });
  return parsed.success || input !== null ? parsed : schema.safeParse({}, { reportInput: true });
};
