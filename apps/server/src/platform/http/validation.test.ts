import { pageSchema, usageInstantSchema } from '@simcube/contract';
import { passwordSchema } from '@simcube/contract/identity';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { validate, validateBody } from './validation.ts';

it.each([
  [{ ids: 'abc' }, [{ path: 'ids', key: 'invalidType' }]],
  [{ ids: '' }, [{ path: 'ids', key: 'invalidType' }]],
  [{}, [{ path: 'ids', key: 'required' }]],
  [{ ids: ['a', 'b', 'c'] }, [{ path: 'ids', key: 'tooMany', values: { max: 2 } }]],
])('the list %j has one fault', (input, issues) => {
  const { error } = validate(z.strictObject({ ids: z.array(z.string()).min(1).max(2) }), input);
  expect(error?.issues).toEqual(issues);
});

it('reports several checks with the same message once', () => {
  const { error } = validate(z.strictObject({ password: passwordSchema }), { password: 'a' });
  expect(error?.issues).toEqual([expect.objectContaining({ path: 'password', key: 'passwordRule' })]);
});

it.each([
  ['2026-11-20T00:00:00+01:00', { key: 'utcTime' }],
  ['2026-11-20', { key: 'utcTime' }],
  ['never', { key: 'utcTime' }],
  ['1999-11-02T00:00:00Z', { key: 'tooSmall', values: { min: '2000-01-01' } }],
])('the time %s has one fault, which says what is wanted', (from, issue) => {
  const { error } = validate(z.strictObject({ from: usageInstantSchema }), { from });
  expect(error?.issues).toEqual([{ path: 'from', ...issue }]);
});

it('of two maximums the smaller is named', () => {
  const { error } = validate(pageSchema, { page_size: 2 ** 53 + 2 });
  expect(error?.issues).toEqual([{ path: 'page_size', key: 'tooBig', values: { max: 1000 } }]);
});

it('the number of a page is a number in a body, and a text in a query', () => {
  expect(validate(pageSchema, { page_size: '20' })).toMatchObject({ value: { page_size: 20 } });
  expect(validateBody(pageSchema, { page_size: 20 })).toMatchObject({ value: { page_size: 20 } });
  const { error } = validateBody(pageSchema, { page_size: '20', page_no: '1' });
  expect(error?.issues).toEqual([
    { path: 'page_size', key: 'invalidNumber' },
    { path: 'page_no', key: 'invalidNumber' },
  ]);
});
