import { passwordSchema } from '@simcube/contract/identity';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { validate } from './validation.ts';

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
