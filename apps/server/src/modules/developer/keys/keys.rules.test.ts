import { intersectPermissions, permissionsByRole } from '@simcube/contract';
import { expect, it } from 'vitest';
import { refusedPermissions } from './keys.rules.ts';

it('a key can’t have permissions that its creator lacks, nor the permission to change accounts', () => {
  const { user, admin } = permissionsByRole;
  expect(refusedPermissions({ sim: ['read'] }, user)).toEqual([]);
  expect(refusedPermissions({ sim: ['read', 'operate'], cdr: ['all'], account: ['read'] }, user)).toEqual(
    ['sim', 'cdr', 'account'].map((key) => ({ path: `rights.${key}`, key: 'notAllowed' })),
  );
  expect(refusedPermissions({ sim: ['all'], account: ['read'] }, admin)).toEqual([]);
  for (const action of ['operate', 'write', 'all'] as const)
    expect(refusedPermissions({ account: [action] }, admin)).toEqual([
      { path: 'rights.account', key: 'notAllowed' },
    ]);
});

it('a key has the permissions that both it and its account have', () => {
  const { user, admin } = permissionsByRole;
  expect(intersectPermissions(admin, { sim: ['read'], cdr: ['all'] })).toEqual({
    sim: ['read'],
    cdr: ['read', 'operate', 'write'],
  });
  expect(intersectPermissions(user, { sim: ['read', 'operate'], account: ['all'] })).toEqual({
    sim: ['read'],
  });
  expect(intersectPermissions({}, { sim: ['all'] })).toEqual({});
});
