import { roles } from '@simcube/contract';
import { expect, it } from 'vitest';
import { reachOf, roleThere } from './enterprise.rules.ts';

const line = [{ id: 1 }, { id: 2 }, { id: 3 }];
const seen = { id: 3, line, ownRole: null };

it('a caller sees the current organisation, what is below it as its admin, and where it is a member', () => {
  for (const role of roles) {
    expect(reachOf(seen, { id: 3, role })).toBe('current');
    expect(reachOf({ ...seen, ownRole: 'user' }, { id: 9, role })).toBe('member');
    expect(reachOf(seen, { id: 9, role })).toBeUndefined();
  }
  expect(reachOf(seen, { id: 1, role: 'admin' })).toBe('below');
  expect(reachOf(seen, { id: 2, role: 'superadmin' })).toBe('below');
  expect(reachOf(seen, { id: 2, role: 'operator' })).toBeUndefined();
  expect(reachOf({ ...seen, ownRole: 'operator' }, { id: 2, role: 'operator' })).toBe('member');
  // Never upward.
  expect(reachOf({ id: 1, line: [{ id: 1 }], ownRole: null }, { id: 3, role: 'superadmin' })).toBeUndefined();
});

it('an admin above is an admin below, whatever the membership there', () => {
  expect(roleThere('below', { ...seen, ownRole: 'user' }, { role: 'superadmin' })).toBe('admin');
  expect(roleThere('below', { ...seen, ownRole: 'superadmin' }, { role: 'admin' })).toBe('superadmin');
  expect(roleThere('member', { ...seen, ownRole: 'operator' }, { role: 'admin' })).toBe('operator');
  expect(roleThere('current', { ...seen, ownRole: 'user' }, { role: 'user' })).toBe('user');
});
