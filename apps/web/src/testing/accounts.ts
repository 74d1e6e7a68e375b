import { permissionsByRole, type Role } from '@simcube/contract';
import type { Account, AccountPermissions } from '@simcube/contract/account';

export const otherId = '0f5e9a52-6d0e-4d38-9a8b-3f7c1f6f0a01';

/** Another person's account, as the server returns it. */
export const accountOf = (changes: Partial<Account> = {}): Account => ({
  id: otherId,
  first_name: 'Bea',
  last_name: 'Ortiz',
  email: 'bea@acme.example',
  locale: 'es-ES',
  role: 'operator',
  oversight: false,
  status: 'active',
  two_factor: true,
  created_at: '2026-01-02T00:00:00.000Z',
  sign_in_count: 12,
  last_sign_in_at: '2026-11-20T10:00:00.000Z',
  pending_invitation: null,
  permissions_changed: false,
  fixed: [],
  ...changes,
});

const defaultPermissions = (role: Role) =>
  Object.fromEntries(Object.entries(permissionsByRole[role]).map(([key, granted]) => [key, [...granted]]));

export const permissionsOf = (
  role: Role,
  changes: AccountPermissions['changes'] = {},
  name: string | null = null,
): AccountPermissions => ({
  role,
  of_role: defaultPermissions(role),
  changes,
  effective: { ...defaultPermissions(role), ...changes },
  name,
  changeable: role === 'user' || role === 'operator',
});
