import { roles } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { differences, mayGive, mayManage } from './managing.rules.ts';

describe('roles', () => {
  it('are granted up to one’s own', () => {
    const given = roles.map((own) => roles.filter((one) => mayGive(own, one)));
    expect(given).toEqual([['user'], ['user', 'operator'], ['user', 'operator', 'admin'], [...roles]]);
  });

  it('of superadmin are managed by superadmins only', () => {
    expect(roles.filter((own) => mayManage(own, 'superadmin'))).toEqual(['superadmin']);
    for (const target of ['user', 'operator', 'admin'] as const)
      expect(mayManage('admin', target)).toBe(true);
  });
});

it('the audit trail records the fields that differ, and nothing when none does', () => {
  const before: Record<string, unknown> = { role: 'user', permissions: { sim: ['read'] }, name: 'Ana' };
  expect(differences(before, { ...before, permissions: { sim: ['read'] } })).toBeUndefined();
  expect(differences(before, { ...before, role: 'admin', permissions: {} })).toEqual({
    before: { role: 'user', permissions: { sim: ['read'] } },
    after: { role: 'admin', permissions: {} },
  });
});
