import { roles } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { mayGrantRole, mayManage } from './managing.rules.ts';

describe('roles', () => {
  it('are granted up to one’s own', () => {
    const given = roles.map((own) => roles.filter((one) => mayGrantRole(own, one)));
    expect(given).toEqual([['user'], ['user', 'operator'], ['user', 'operator', 'admin'], [...roles]]);
  });

  it('of superadmin are managed by superadmins only', () => {
    expect(roles.filter((own) => mayManage(own, 'superadmin'))).toEqual(['superadmin']);
    for (const target of ['user', 'operator', 'admin'] as const)
      expect(mayManage('admin', target)).toBe(true);
  });
});
