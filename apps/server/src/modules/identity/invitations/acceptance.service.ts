import type { SignInResponse } from '@simcube/contract/identity';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { insertMembership, takeMembershipSlot } from '../../org/index.ts';
import { accountChanged } from '../people/accounts.events.ts';
import { findUserByEmail, insertUser, type UserRow } from '../people/people.queries.ts';
import { nameOf } from '../people/people.rules.ts';
import type { IdentityRequest } from '../sign-in/verify-identity.service.ts';
import {
  endInvitation,
  findOpenInvitation,
  hasMember,
  type InvitationRow,
  lockOpenInvitation,
} from './invitations.queries.ts';
import { isInvitationToken } from './invitations.rules.ts';
import { getOrganisationName, type OrganisationName } from './invitations.views.ts';

export interface AcceptanceDeps {
  pool: pg.Pool;
  clock: Clock;
  /** @throws Failure CB-99-0503 when too many passwords wait to be hashed */
  hashPassword: (password: string) => Promise<string>;
  /** Proof of identity by password and code, within the limits of sign-in. */
  verifyIdentity: (request: IdentityRequest) => Promise<UserRow>;
  completeSignIn: (verified: {
    user: UserRow;
    actor: Actor;
    userAgent: string | undefined;
  }) => Promise<SignInResponse>;
}

export interface NewPerson {
  firstName: string;
  lastName: string;
  passwordHash: string;
}

export interface InvitedSignIn {
  token: string;
  password: string;
  code?: string | undefined;
  agreement: boolean;
  userAgent: string | undefined;
  actor: Actor;
}

export type AcceptanceService = ReturnType<typeof createAcceptance>;

/** Acceptance: the mailed token proves that its holder controls the address. */
export const createAcceptance = ({
  pool,
  clock,
  hashPassword,
  verifyIdentity,
  completeSignIn,
}: AcceptanceDeps) => {
  const tokenQuery = (token: string) =>
    isInvitationToken(token) ? { tokenHash: hashToken(token), now: clock.now() } : fail('CB-07-0011');

  /** Turns the locked invitation into a membership. Its seat becomes the account's. */
  const join = async (
    tx: Sql,
    { invitation, user, actor }: { invitation: InvitationRow; user: UserRow; actor: Actor },
  ): Promise<OrganisationName> => {
    const { orgId, role, oversight } = invitation;
    const now = clock.now();
    if (!(await hasMember(tx, { orgId, email: user.email }))) {
      await takeMembershipSlot(tx, user.id);
      await insertMembership(tx, { userId: user.id, orgId, role, oversight });
    }
    await endInvitation(tx, { id: invitation.id, status: 'accepted', now });
    await emit(tx, accountChanged, { orgId, payload: { userId: user.id } });
    await recordAudit(tx, {
      orgId,
      actor: { ...actor, id: user.id, name: nameOf(user) },
      at: now,
      subject: { kind: 'account', id: user.id, name: user.email },
      after: { role, oversight, invitation: invitation.id },
    });
    return getOrganisationName(tx, orgId);
  };

  return {
    /**
     * Accepts for the person with the address, known or new. A known person keeps name and password, whatever
     * is sent.
     * @throws Failure CB-07-0005, CB-07-0011, CB-07-0023; CB-00-0400 when a new person's data is required and
     * missing
     */
    async accept(request: {
      token: string;
      person: { first_name: string; last_name: string; password: string } | undefined;
      agreement: boolean;
      actor: Actor;
    }): Promise<{ email: string; code: string; organisation: string }> {
      const { person, actor } = request;
      if (!request.agreement) fail('CB-07-0005');
      const openQuery = tokenQuery(request.token);
      // A guessed token costs no hash.
      if (!(await findOpenInvitation(pool, openQuery))) fail('CB-07-0011');
      const newPerson: NewPerson | undefined = person && {
        firstName: person.first_name,
        lastName: person.last_name,
        passwordHash: await hashPassword(person.password),
      };
      return inRepeatableTransaction(pool, async (tx) => {
        const invitation = (await lockOpenInvitation(tx, openQuery)) ?? fail('CB-07-0011');
        const user =
          (await findOrCreatePerson(tx, invitation, newPerson ?? firstPersonOf(invitation))) ??
          fail('CB-00-0400', { issues: [{ path: 'person', key: 'required' }] });
        const { code, name } = await join(tx, { invitation, user, actor });
        return { email: invitation.email, code, organisation: name };
      });
    },

    /** @throws Failure CB-07-0003, CB-07-0005, CB-07-0011, CB-07-0023, and those of a sign-in */
    async signIn(request: InvitedSignIn): Promise<SignInResponse> {
      const { token, password, code, agreement, userAgent, actor } = request;
      if (!password) fail('CB-07-0003');
      if (!agreement) fail('CB-07-0005');
      const openQuery = tokenQuery(token);
      const { email } = await inRepeatableTransaction(pool, async (tx) => {
        const invitation = (await lockOpenInvitation(tx, openQuery)) ?? fail('CB-07-0011');
        // A first password set by the sender counts only now: the token proves control of the address.
        await findOrCreatePerson(tx, invitation, firstPersonOf(invitation));
        return invitation;
      });
      const user = await verifyIdentity({
        email,
        password,
        code,
        address: actor.address,
        acceptsInvitation: true,
      });
      await inRepeatableTransaction(pool, async (tx) => {
        const invitation = (await lockOpenInvitation(tx, openQuery)) ?? fail('CB-07-0011');
        await join(tx, { invitation, user, actor });
      });
      return completeSignIn({ user, actor, userAgent });
    },
  };
};

/** The new person as the sender described them, with a first password. */
const firstPersonOf = ({ firstName, lastName, passwordHash }: InvitationRow): NewPerson | undefined =>
  passwordHash === null ? undefined : { firstName, lastName, passwordHash };

/** The person with the address, created if the address is unknown. */
const findOrCreatePerson = async (
  tx: Sql,
  { email, locale }: InvitationRow,
  newPerson: NewPerson | undefined,
): Promise<UserRow | undefined> => {
  const known = await findUserByEmail(tx, email);
  if (known || !newPerson) return known;
  // If the person was created concurrently, that row wins and is found here.
  await insertUser(tx, { email, locale, ...newPerson });
  return findUserByEmail(tx, email);
};
