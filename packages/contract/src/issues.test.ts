import { expect, it } from 'vitest';
import { z } from 'zod';
import { toInputIssues } from './issues.ts';

const schema = z.strictObject({ role: z.enum(['admin', 'user']), agreement: z.literal(true) });
const keysOf = (input: unknown, reportInput: boolean) =>
  schema
    .safeParse(input, { reportInput })
    .error?.issues.flatMap(toInputIssues)
    .map(({ path, key }) => `${path} ${key}`);

it('a missing value, or the field that decides about its options, is reported as required', () => {
  const options = z.strictObject({
    selection: z.union([z.strictObject({ all: z.boolean() }), z.strictObject({ ids: z.array(z.int()) })]),
    when: z.discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('once') }),
      z.strictObject({ mode: z.literal('weekly') }),
    ]),
  });
  const issuesOf = (input: unknown) =>
    options
      .safeParse(input, { reportInput: true })
      .error?.issues.flatMap(toInputIssues)
      .map(({ path, key }) => `${path} ${key}`);
  expect(issuesOf({})).toEqual(['selection required', 'when required']);
  expect(issuesOf({ selection: 'all', when: {} })).toEqual(['selection invalidFormat', 'when.mode required']);
  expect(issuesOf({ selection: { all: true }, when: { mode: 'daily' } })).toEqual([
    'when.mode invalidFormat',
  ]);
});

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
