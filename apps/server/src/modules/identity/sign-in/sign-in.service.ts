import { allows, effectivePermissions, permissionsByRole, roles } from '@simcube/contract';
import type { MembershipInfo, SignInResponse } from '@simcube/contract/identity';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { isDisabledEverywhere } from '../../org/index.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import { countSignIn, type UserRow } from '../people/people.queries.ts';
import { languageOf, nameOf, normaliseEmail } from '../people/people.rules.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import { isInvited } from './sign-in.queries.ts';
import type { IdentityRequest } from './verify-identity.service.ts';

export interface SignInRequest {
  email: string;
  password: string;
  code?: string | undefined;
  agreement: boolean;
  /** An anonymous caller: the address and the call. */
  actor: Actor;
  userAgent: string | undefined;
}

export interface SignInDeps {
  pool: pg.Pool;
  clock: Clock;
  sessions: SessionService;
  verifyIdentity: (request: IdentityRequest) => Promise<UserRow>;
  /** The organisations of a person, the default one first; provided by the org module. */
  memberships: (userId: string) => Promise<MembershipInfo[]>;
  /** Ids of an organisation's shared pools; provided by the pool module. */
  sharedPools: (orgCode: string) => Promise<string[]>;
}

export type SignInService = ReturnType<typeof createSignIn>;

export const createSignIn = ({
  pool,
  clock,
  sessions,
  verifyIdentity,
  memberships,
  sharedPools,
}: SignInDeps) => {
  /** Pools of the organisation of the sign-in, for those who may see pools. */
  const poolsOf = async (membership: MembershipInfo | undefined): Promise<string[]> => {
    if (!membership) return [];
    const { code, role, changes = {} } = membership;
    return allows(effectivePermissions(role, changes), 'shared-pool-cube', 'read') ? sharedPools(code) : [];
  };

  /**
   * Starts the session of a person whose identity was proven.
   * @throws Failure CB-07-0001 when password or second factor were changed since
   */
  const completeSignIn = async (verified: {
    user: UserRow;
    actor: Actor;
    userAgent: string | undefined;
  }): Promise<SignInResponse> => {
    const { user, userAgent } = verified;
    const actor: Actor = { ...verified.actor, kind: 'person', id: user.id, name: nameOf(user) };
    const { token, loginsCount } = await inTransaction(pool, async (tx) => {
      const now = clock.now();
      const count = (await countSignIn(tx, user, now)) ?? fail('CB-07-0001');
      const session = await sessions.begin(tx, { userId: user.id, address: actor.address, userAgent });
      await recordPersonAudit(tx, {
        user,
        actor,
        at: now,
        action: 'session.began',
        subject: { kind: 'session', id: session.sessionId, name: nameOf(user) },
      });
      return { token: session.token, loginsCount: count };
    });
    const rolesInfo = await memberships(user.id);
    return {
      token,
      userId: user.id,
      username: nameOf(user),
      userEmail: user.email,
      lang: languageOf(user.locale),
      loginsCount,
      partnerCode: rolesInfo[0]?.code ?? null,
      tenantId: rolesInfo[0]?.tenantId ?? null,
      rolesInfo,
      permissionsInfo,
      sharedPool: await poolsOf(rolesInfo[0]),
      dayOffset: dashboardDays.offsetMinutes / 60,
    };
  };

  return {
    completeSignIn,

    /**
     * Signs a person in: missing fields are reported in the specification's order, then the identity is
     * verified.
     * @throws Failure CB-07-0001 to CB-07-0007, CB-07-0009, CB-07-0010; CB-99-0503 when too many people sign in
     * at the same time
     */
    async signIn({ agreement, actor, userAgent, ...request }: SignInRequest): Promise<SignInResponse> {
      if (!normaliseEmail(request.email)) fail('CB-07-0002');
      if (!request.password) fail('CB-07-0003');
      if (!agreement) fail('CB-07-0005');
      const user = await verifyIdentity({ ...request, address: actor.address });
      const belongsSomewhere = (await memberships(user.id)).length > 0;
      if (!belongsSomewhere && (await isInvited(pool, user.email, clock.now()))) fail('CB-07-0009');
      if (!belongsSomewhere && (await isDisabledEverywhere(pool, user.id))) fail('CB-07-0007');
      return completeSignIn({ user, actor, userAgent });
    },
  };
};

/** The whole map, not only the roles held, so that a later membership needs no new sign-in. */
const permissionsInfo: SignInResponse['permissionsInfo'] = Object.fromEntries(
  roles.map((role) => [
    role,
    Object.fromEntries(Object.entries(permissionsByRole[role]).map(([key, granted]) => [key, [...granted]])),
  ]),
);
