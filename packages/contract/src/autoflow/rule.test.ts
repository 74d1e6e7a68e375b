import { expect, it } from 'vitest';
import { newDefinitionSchema, ruleDefinitionSchema } from './rule.ts';

it('a stored rule may add a tag that new rules may not: others of its organisation must not fail with it', () => {
  const rule = {
    trigger: { kind: 'silent', hours: 48 },
    scope: { kind: 'all' },
    actions: [{ kind: 'suspend' }, { kind: 'add-tag', tag: 'a;b' }],
    active_from: null,
    active_until: null,
    group_minutes: null,
  };
  expect(ruleDefinitionSchema.parse(rule).actions).toEqual(rule.actions);
  expect(newDefinitionSchema.safeParse(rule).error?.issues).toEqual([
    expect.objectContaining({ path: ['actions', 1, 'tag'], message: 'tagSeparator' }),
  ]);
});
