import { permissionsByRole, type Role } from '@simcube/contract';
import type { MembershipInfo, Profile, SignInResponse } from '@simcube/contract/identity';
import { session } from '../lib/session/index.ts';

export const membershipOf = (role: Role, code = 'ACME'): MembershipInfo => ({
  code,
  name: `${code} Mobility`,
  role,
  tenantId: `tenant-${code}`,
  default: true,
  logo: null,
});

/** The server's response to the sign-in of a person with this role. */
export const signInResponse = (role: Role, changes: Partial<SignInResponse> = {}): SignInResponse => ({
  token: 'token_0123456789abcdef',
  userId: 'user-1',
  username: 'Ana Martín',
  userEmail: 'ana@acme.example',
  lang: 'en-US',
  loginsCount: 5,
  partnerCode: 'ACME',
  tenantId: 'tenant-ACME',
  rolesInfo: [membershipOf(role), membershipOf('user', 'NORD')],
  permissionsInfo: {
    [role]: Object.fromEntries(
      Object.entries(permissionsByRole[role]).map(([key, actions]) => [key, [...actions]]),
    ),
  },
  sharedPool: [],
  dayOffset: 8,
  ...changes,
});

export const signedInAs = (role: Role, changes: Partial<SignInResponse> = {}): void =>
  session.signIn(signInResponse(role, changes));

/** The profile that the server returns for the person of `signInResponse`. */
export const profileResponse = (changes: Partial<Profile> = {}): Profile => ({
  id: 'user-1',
  email: 'ana@acme.example',
  first_name: 'Ana',
  last_name: 'Martín',
  language: 'en-US',
  created_at: '2026-01-02T00:00:00.000Z',
  last_sign_in_at: '2026-11-21T08:00:00.000Z',
  sign_in_count: 5,
  two_factor: { enabled: false, recovery_codes_left: 0 },
  two_factor_required: false,
  ...changes,
});
