import { roles } from '@simcube/contract';
import { expect, it } from 'vitest';
import { reachOf, roleThere } from './enterprise.rules.ts';

const lineage = [{ id: 1 }, { id: 2 }, { id: 3 }];
const organisation = { id: 3, lineage, ownRole: null };

it('a caller sees the current organisation, what is below it as its admin, and where it is a member', () => {
  for (const role of roles) {
    expect(reachOf(organisation, { id: 3, role })).toBe('current');
    expect(reachOf({ ...organisation, ownRole: 'user' }, { id: 9, role })).toBe('member');
    expect(reachOf(organisation, { id: 9, role })).toBeUndefined();
  }
  expect(reachOf(organisation, { id: 1, role: 'admin' })).toBe('below');
  expect(reachOf(organisation, { id: 2, role: 'superadmin' })).toBe('below');
  expect(reachOf(organisation, { id: 2, role: 'operator' })).toBeUndefined();
  expect(reachOf({ ...organisation, ownRole: 'operator' }, { id: 2, role: 'operator' })).toBe('member');
  // Never upward.
  expect(
    reachOf({ id: 1, lineage: [{ id: 1 }], ownRole: null }, { id: 3, role: 'superadmin' }),
  ).toBeUndefined();
});

it('an admin above is an admin below, whatever the membership there', () => {
  expect(roleThere('below', { ...organisation, ownRole: 'user' }, { role: 'superadmin' })).toBe('admin');
  expect(roleThere('below', { ...organisation, ownRole: 'superadmin' }, { role: 'admin' })).toBe(
    'superadmin',
  );
  expect(roleThere('member', { ...organisation, ownRole: 'operator' }, { role: 'admin' })).toBe('operator');
  expect(roleThere('current', { ...organisation, ownRole: 'user' }, { role: 'user' })).toBe('user');
});
