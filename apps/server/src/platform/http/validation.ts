import { inputIssueOf } from '@simcube/contract';
import type { z } from 'zod';
import { Failure } from './failure.ts';
import { findZeroCharacter } from './zero-character.ts';

/** The parsed input, or a failure that names each wrong field by its path and what is wrong with it. */
export const validated = (schema: z.ZodType, input: unknown) => {
  const parsed = parse(schema, input);
  if (parsed.success) {
    const path = findZeroCharacter(parsed.data);
    if (path === undefined) return { value: parsed.data };
    return { error: new Failure('CB-00-0400', { issues: [{ path, key: 'invalidFormat' }] }) };
  }
  return { error: new Failure('CB-00-0400', { issues: parsed.error.issues.slice(0, 50).map(inputIssueOf) }) };
};

/** A body that is not there is one without any field, so that those it must have are named. */
const parse = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input, { reportInput: true });
  return parsed.success || input !== null ? parsed : schema.safeParse({}, { reportInput: true });
};
