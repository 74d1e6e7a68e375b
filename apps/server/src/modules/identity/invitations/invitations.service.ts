import { randomBytes } from 'node:crypto';
import { type Language, limits, type Role } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { changedFields, recordAudit } from '../../audit/index.ts';
import { canOversee, lockOrganisation, requirePermission, takeSeat } from '../../org/index.ts';
import { type Attempts, counters } from '../attempts/attempts.service.ts';
import { accountChanged } from '../people/accounts.events.ts';
import type { Caller } from '../people/caller.ts';
import { mayGrantRole, mayManage } from '../people/managing.rules.ts';
import {
  endInvitation,
  hasMember,
  type InvitationFacts,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  lockPendingInvitation,
  renewInvitation,
} from './invitations.queries.ts';
import { invitationEnd, invitationTokenOf, isInvitationToken } from './invitations.rules.ts';
import { getOrganisationName, readOpenInvitation } from './invitations.views.ts';

export interface InvitationsDeps {
  pool: pg.Pool;
  clock: Clock;
  mail: Mail;
  attempts: Attempts;
  /** @throws Failure CB-99-0503 when too many passwords wait to be hashed */
  hashPassword: (password: string) => Promise<string>;
}

export interface InvitationRequest {
  email: string;
  role: Role;
  language: Language;
  oversight: boolean;
  /** Omitted fields keep the values of an open invitation. */
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** A first password, or null for none; if omitted, that of an open invitation is kept. */
  password?: string | null | undefined;
}

export type InvitationsService = ReturnType<typeof createInvitations>;

interface InvitationToSend {
  tx: Sql;
  caller: Caller;
  now: Date;
  facts: InvitationFacts;
  pending: InvitationRow | undefined;
}

export const createInvitations = ({ pool, clock, mail, attempts, hashPassword }: InvitationsDeps) => {
  /**
   * Counts the mail, which is sent only if the transaction commits.
   * @throws Failure CB-07-0033 when there were too many
   */
  const countMail = async (tx: Sql, invited: { orgId: number; email: string }): Promise<void> => {
    const mailCounters = counters.invitation(invited);
    await attempts.count(tx, mailCounters, await attempts.checkLocks(tx, mailCounters, 'CB-07-0033'));
  };

  const write = async ({
    tx,
    caller,
    now,
    facts,
    pending,
  }: InvitationToSend): Promise<{ id: string; token: string }> => {
    const token = invitationTokenOf(randomBytes(32));
    const { orgId, userId: invitedBy } = caller;
    const expiresAt = invitationEnd(now);
    const sent = { ...facts, orgId, invitedBy, now, expiresAt, tokenHash: hashToken(token) };
    if (!pending) return { id: await insertInvitation(tx, sent), token };
    await renewInvitation(tx, pending.id, sent);
    return { id: pending.id, token };
  };

  return {
    /**
     * Invites an address; an open invitation is renewed: a new link, no second seat. Nothing depends on whether
     * the address is known, except that a member of this organisation is refused.
     * @returns the invitation's id
     * @throws Failure CB-07-0015, CB-07-0017, CB-07-0018, CB-07-0019, CB-07-0033, CB-07-0035
     */
    async invite(caller: Caller, request: InvitationRequest): Promise<string> {
      const { orgId, userId } = caller;
      // Computed whether it will be used or not, so that the time reveals nothing; and before anything is
      // locked.
      const hash = request.password ? await hashPassword(request.password) : undefined;
      return inRepeatableTransaction(pool, async (tx) => {
        const inviter = await requirePermission(tx, { orgId, userId, key: 'account', action: 'write' });
        if (!mayGrantRole(inviter.role, request.role)) fail('CB-07-0019');
        // Concurrent invitations of the same address are serialised, so the second one renews the first.
        await lockOrganisation(tx, orgId);
        if (await hasMember(tx, { orgId, email: request.email })) fail('CB-07-0017');
        const now = clock.now();
        const pending = await lockPendingInvitation(tx, { orgId, email: request.email });
        const open = pending && pending.expiresAt > now ? pending : undefined;
        if (open && !mayManage(inviter.role, open.role)) fail('CB-07-0018');
        // An open invitation can be sent again as it is, and a superadmin has oversight inherently.
        const isGiven = request.oversight && request.role !== 'superadmin' && !open?.oversight;
        if (isGiven && !(await canOversee(tx, orgId))) fail('CB-07-0035');
        if (!open) await takeSeat(tx, { orgId, now });
        await countMail(tx, { orgId, email: request.email });
        const facts = factsOfRequest(request, { hash, open });
        const { id, token } = await write({ tx, caller, now, facts, pending });
        const { name: organisation } = await getOrganisationName(tx, orgId);
        await mail.queue(tx, {
          to: request.email,
          language: request.language,
          template: 'invitation',
          values: { inviter: caller.actor.name, organisation, days: limits.invitationDays },
          link: { path: '/login', fragment: { invitation: token } },
        });
        await emit(tx, accountChanged, { orgId, payload: { userId: id } });
        const before = open ? auditedFacts(open) : {};
        const changed = changedFields<Record<string, unknown>>(before, auditedFacts(facts));
        await recordAudit(tx, {
          orgId,
          actor: caller.actor,
          at: now,
          subject: { kind: 'invitation', id, name: request.email },
          before: open ? (changed?.before ?? null) : null,
          after: changed?.after ?? null,
        });
        return id;
      });
    },

    /** @throws Failure CB-00-0404, CB-07-0012 when it was accepted, revoked or has expired, CB-07-0018 */
    revoke: (caller: Caller, id: string): Promise<void> =>
      inRepeatableTransaction(pool, async (tx) => {
        const { orgId, userId, actor } = caller;
        const inviter = await requirePermission(tx, { orgId, userId, key: 'account', action: 'write' });
        const invitation = (await lockInvitation(tx, { orgId, id })) ?? fail('CB-00-0404');
        if (!mayManage(inviter.role, invitation.role)) fail('CB-07-0018');
        const now = clock.now();
        if (invitation.status !== 'pending' || invitation.expiresAt <= now) fail('CB-07-0012');
        await endInvitation(tx, { id, status: 'revoked', now });
        await emit(tx, accountChanged, { orgId, payload: { userId: id } });
        await recordAudit(tx, {
          orgId,
          actor,
          at: now,
          subject: { kind: 'invitation', id, name: invitation.email },
          before: auditedFacts(invitation),
          after: null,
        });
      }),

    /** @throws Failure CB-07-0011 */
    async read(token: string): Promise<Invitation> {
      if (!isInvitationToken(token)) fail('CB-07-0011');
      const found = await readOpenInvitation(pool, { tokenHash: hashToken(token), now: clock.now() });
      return found ?? fail('CB-07-0011');
    },
  };
};

const factsOfRequest = (
  { email, role, language, oversight, firstName, lastName, password }: InvitationRequest,
  { hash, open }: { hash: string | undefined; open: InvitationRow | undefined },
): InvitationFacts => ({
  email,
  role,
  locale: language,
  oversight,
  firstName: firstName ?? open?.firstName ?? '',
  lastName: lastName ?? open?.lastName ?? '',
  passwordHash: hash ?? (password === undefined ? (open?.passwordHash ?? null) : null),
});

/** The facts of an invitation for the audit trail: neither its token nor a password. */
const auditedFacts = ({ firstName, lastName, locale, role, oversight }: InvitationFacts) => ({
  first_name: firstName,
  last_name: lastName,
  locale,
  role,
  oversight,
});
