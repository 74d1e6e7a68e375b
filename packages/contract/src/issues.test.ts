import { expect, it } from 'vitest';
import { z } from 'zod';
import { toInputIssues } from './issues.ts';

const schema = z.strictObject({ role: z.enum(['admin', 'user']), agreement: z.literal(true) });
const keysOf = (input: unknown, reportInput: boolean) =>
  schema
    .safeParse(input, { reportInput })
    .error?.issues.flatMap(toInputIssues)
    .map(({ path, key }) => `${path} ${key}`);

it('a missing choice is reported as required, an unknown one as not allowed', () => {
  expect(keysOf({}, true)).toEqual(['role required', 'agreement required']);
  expect(keysOf({ role: 'owner', agreement: false }, true)).toEqual([
    'role notAllowed',
    'agreement notAllowed',
  ]);
  expect(keysOf({ role: 'owner', agreement: false }, false)).toEqual([
    'role notAllowed',
    'agreement notAllowed',
  ]);
});
