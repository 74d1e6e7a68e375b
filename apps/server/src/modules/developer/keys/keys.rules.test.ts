import { intersectPermissions, permissionsByRole } from '@simcube/contract';
import { expect, it } from 'vitest';
import { refusedRights } from './keys.rules.ts';

it('a key can have no right that its maker lacks, and no right to change accounts', () => {
  const { user, admin } = permissionsByRole;
  expect(refusedRights({ sim: ['read'] }, user)).toEqual([]);
  expect(refusedRights({ sim: ['read', 'operate'], cdr: ['all'], account: ['read'] }, user)).toEqual(
    ['sim', 'cdr', 'account'].map((key) => ({ path: `rights.${key}`, key: 'notAllowed' })),
  );
  expect(refusedRights({ sim: ['all'], account: ['read'] }, admin)).toEqual([]);
  for (const action of ['operate', 'write', 'all'] as const)
    expect(refusedRights({ account: [action] }, admin)).toEqual([
      { path: 'rights.account', key: 'notAllowed' },
    ]);
});

it('the rights of a key are those that it and its account have', () => {
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
