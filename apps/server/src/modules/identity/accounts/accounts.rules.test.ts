import {
  actions,
  allows,
  effectivePermissions,
  permissionKeys,
  permissionsByRole,
  roles,
} from '@simcube/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayManage } from '../people/managing.rules.ts';
import { fixedPartsOf, grantRefusal, isChangeable, withChange, withoutChanges } from './accounts.rules.ts';

const role = fc.constantFrom(...roles);
const key = fc.constantFrom(...permissionKeys);
const wanted = fc.array(fc.constantFrom(...actions), { maxLength: 6 });

describe('roles', () => {
  it('a superadmin of an organisation above is protected from admins, and fixed for them', () => {
    const above = { superadminAbove: true, beyondViewer: true };
    expect(roles.filter((own) => mayManage(own, 'user', above))).toEqual(['superadmin']);
    expect(fixedPartsOf({ own: 'admin', target: 'user', otherMemberships: above })).toEqual([
      'account',
      'person',
      'password',
    ]);
    expect(fixedPartsOf({ own: 'superadmin', target: 'user', otherMemberships: above })).toEqual([
      'person',
      'password',
    ]);
  });

  it('that hold everything are not changed key by key', () => {
    expect(roles.filter(isChangeable)).toEqual(['user', 'operator']);
  });
});

describe('a grant', () => {
  const admin = permissionsByRole.admin;

  it('of managing accounts is always rejected', () => {
    for (const action of ['write', 'operate', 'all'] as const) {
      const grant = { own: admin, target: 'user', key: 'account', requested: ['read', action] } as const;
      expect(grantRefusal(grant)).toBe('CB-07-0034');
    }
    expect(grantRefusal({ own: admin, target: 'user', key: 'account', requested: ['read'] })).toBeUndefined();
    expect(grantRefusal({ own: admin, target: 'user', key: 'account', requested: [] })).toBeUndefined();
  });

  it('of what only administrators may do is always rejected', () => {
    for (const key of ['sim', 'sim-report-cube'] as const) {
      for (const action of ['write', 'all'] as const)
        expect(grantRefusal({ own: admin, target: 'operator', key, requested: [action] })).toBe('CB-07-0034');
      expect(
        grantRefusal({ own: admin, target: 'user', key, requested: ['read', 'operate'] }),
      ).toBeUndefined();
    }
    expect(
      grantRefusal({ own: admin, target: 'user', key: 'autoflow-cube', requested: ['all'] }),
    ).toBeUndefined();
  });

  it('of it that is stored since before gives what may be given alone', () => {
    const stored = {
      sim: ['all'],
      account: ['read', 'write'],
      cdr: ['all'],
      'autoflow-cube': ['all'],
    } as const;
    const rights = effectivePermissions('operator', stored);
    const allowed = (one: 'sim' | 'account' | 'cdr' | 'autoflow-cube' | 'cube-schedule-sms') =>
      (['read', 'operate', 'write'] as const).filter((action) => allows(rights, one, action));
    expect(allowed('sim')).toEqual(['read', 'operate']);
    expect(allowed('account')).toEqual(['read']);
    expect(allowed('cdr')).toEqual(['read', 'operate', 'write']);
    expect(allowed('autoflow-cube')).toEqual(['read', 'operate', 'write']);
    expect(allowed('cube-schedule-sms')).toEqual(['read', 'operate']);
  });

  it('to a role with all permissions has no effect', () => {
    for (const target of ['admin', 'superadmin'] as const) {
      expect(grantRefusal({ own: admin, target, key: 'sim', requested: [] })).toBe('CB-07-0022');
    }
  });

  it('never exceeds the permissions of the person who grants it', () => {
    fc.assert(
      fc.property(role, wanted, role, key, wanted, (own, changes, target, one, actionsGiven) => {
        const permissions = effectivePermissions(own, { sim: changes, cdr: changes });
        const refusal = grantRefusal({ own: permissions, target, key: one, requested: actionsGiven });
        if (refusal) return;
        const after = effectivePermissions(
          target,
          withChange({ role: target, changes: {} }, one, actionsGiven),
        );
        for (const action of ['read', 'operate', 'write'] as const) {
          const gained = allows(after, one, action) && !allows(permissionsByRole[target], one, action);
          expect(gained && !allows(permissions, one, action)).toBe(false);
        }
        expect(allows(after, 'account', 'write')).toBe(false);
      }),
    );
  });
});

describe('changes', () => {
  it('replace the role’s permissions on their key; an equal value is no change', () => {
    const operator = { role: 'operator', changes: {} } as const;
    expect(withChange(operator, 'sim', ['operate', 'read', 'read'])).toEqual({});
    expect(withChange(operator, 'sim', ['read'])).toEqual({ sim: ['read'] });
    expect(withChange(operator, 'sim', [])).toEqual({ sim: [] });
    expect(withChange(operator, 'sim', ['write', 'all'])).toEqual({ sim: ['all'] });
    expect(withChange({ role: 'operator', changes: { sim: ['read'] } }, 'sim', ['read', 'operate'])).toEqual(
      {},
    );
  });

  it('are undone one by one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key), fc.uniqueArray(key), (held, taken) => {
        const changes = Object.fromEntries(held.map((one) => [one, ['read' as const]]));
        const left = withoutChanges(changes, taken);
        expect(Object.keys(left)).toEqual(held.filter((one) => !taken.includes(one)));
      }),
    );
  });
});
