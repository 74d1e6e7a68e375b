import { isGrantable, permissionsByRole } from '@simcube/contract';
import { expect, test } from 'vitest';
import { actionsOf, draftActions, grantedActions, toggled } from './permission-draft.ts';

const effective = permissionsByRole.operator;

test('a permission that is turned on and off again is no change', () => {
  const once = toggled({ effective, draft: {} }, { key: 'cdr', action: 'write' });
  expect(once).toEqual({ cdr: ['read', 'write'] });
  expect(toggled({ effective, draft: once }, { key: 'cdr', action: 'write' })).toEqual({});
});

test('all permissions of an area can be removed', () => {
  const draft = toggled({ effective, draft: {} }, { key: 'cdr', action: 'read' });
  expect(draft).toEqual({ cdr: [] });
  expect(draftActions({ effective, draft }, 'cdr')).toEqual([]);
  expect(draftActions({ effective, draft }, 'sim')).toEqual(['read', 'operate']);
});

test('roles with all permissions are shown and sent with all permissions', () => {
  expect(grantedActions(permissionsByRole.admin, 'account')).toEqual(['read', 'operate', 'write']);
  expect(actionsOf(['read', 'operate', 'write'])).toEqual(['all']);
  expect(actionsOf(['read'])).toEqual(['read']);
});

test('administrator-only permissions can’t be granted', () => {
  expect(isGrantable('account', 'read')).toBe(true);
  expect(isGrantable('account', 'write')).toBe(false);
  expect(isGrantable('sim', 'write')).toBe(false);
  expect(isGrantable('autoflow-cube', 'write')).toBe(true);
});
