import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { typed } from '../../../platform/db/index.ts';
import { fail, page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { findInSubtree, findMembershipPermissions, listPartners } from '../../org/index.ts';
import type { InvitationsService } from '../invitations/invitations.service.ts';
import { callerOf, type MemberCall } from '../people/caller.ts';
import { mayRead, maySeeSubOrganisations } from './accounts.rules.ts';
import type { AccountsService } from './accounts.service.ts';
import { accountList, accountsOf, findAccount } from './accounts.views.ts';
import type { PermissionsService } from './permissions.service.ts';

export interface AccountsRoutesDeps {
  pool: pg.Pool;
  clock: Clock;
  accounts: AccountsService;
  permissions: PermissionsService;
  invitations: InvitationsService;
}

export const accountsRoutes = (deps: AccountsRoutesDeps): Route[] => [
  ...readRoutes(deps),
  ...writeRoutes(deps),
  ...permissionsRoutes(deps),
];

const readRoutes = ({ pool, clock }: AccountsRoutesDeps): Route[] => {
  const db = typed(pool);
  /** The current organisation or, for admins, one below it. */
  const organisationOf = async ({ org }: MemberCall, code: string): Promise<number> => {
    const id = await findInSubtree(pool, { orgId: org.id, code });
    return id !== undefined && (id === org.id || maySeeSubOrganisations(org.role)) ? id : fail('CB-07-0029');
  };

  return [
    route(endpoints.account.list, async (call) => {
      const orgId = await organisationOf(call, call.params.partnerCode);
      const listQuery = { scope: { orgId }, now: clock.now(), ...pageQueryOf(call.query) };
      const { data, ...rest } = await readPage(db, accountList, listQuery);
      return page({ ...rest, data: await accountsOf(pool, { orgId, viewer: viewerOf(call) }, data) });
    }),
    route(endpoints.account.get, async (call) => {
      const { partnerCode, userId } = call.params;
      const orgId = await organisationOf(call, partnerCode);
      const account = await findAccount(pool, {
        orgId,
        now: clock.now(),
        viewer: viewerOf(call),
        id: userId,
      });
      if (!account) return fail('CB-07-0028');
      requireSelfOrRead(call, userId);
      return account;
    }),
    route(endpoints.account.listPartners, async (call) => {
      const { userId } = call.params;
      await requireReadableAccount(pool, call, userId);
      const orgId = maySeeSubOrganisations(call.org.role) ? call.org.id : null;
      return listPartners(pool, { userId, viewerId: call.principal.userId, orgId });
    }),
  ];
};

const viewerOf = ({ org, principal }: MemberCall) => ({ userId: principal.userId, role: org.role });

/** Everybody may read their own account; others' only with the permission. */
const requireSelfOrRead = ({ org, principal }: MemberCall, userId: string): void => {
  if (userId !== principal.userId && !mayRead(org.permissions)) fail('CB-00-0403');
};

/**
 * The same for accounts of the current organisation: one that does not exist is not found, whatever the
 * caller's role.
 */
const requireReadableAccount = async (pool: pg.Pool, call: MemberCall, userId: string): Promise<void> => {
  if (!(await findMembershipPermissions(pool, { orgId: call.org.id, userId }))) fail('CB-07-0028');
  requireSelfOrRead(call, userId);
};

const writeRoutes = ({ accounts, invitations }: AccountsRoutesDeps): Route[] => [
  route(endpoints.account.create, async (call) => {
    const { first_name: firstName, last_name: lastName, locale: language, ...invitation } = call.body;
    const id = await invitations.invite(callerOf(call), {
      ...invitation,
      firstName,
      lastName,
      language,
      password: invitation.password ?? null,
    });
    return { id, invitation_id: id };
  }),
  route(endpoints.account.update, (call) => accounts.update(callerOf(call), call.params.userId, call.body)),
  route(endpoints.account.remove, async (call) => {
    await accounts.remove(callerOf(call), call.params.userId);
    return null;
  }),
  route(endpoints.account.setOversight, (call) =>
    accounts.setOversight(callerOf(call), call.params.userId, call.body.oversight),
  ),
  route(endpoints.account.changeStatus, (call) =>
    accounts.changeStatus(callerOf(call), call.params.userId, call.body.status),
  ),
  route(endpoints.account.resetPassword, async (call) => {
    await accounts.resetPassword(callerOf(call), call.params.userId);
    return null;
  }),
  route(endpoints.account.endSessions, async (call) => {
    await accounts.endSessions(callerOf(call), call.params.userId);
    return null;
  }),
];

const permissionsRoutes = ({ pool, permissions }: AccountsRoutesDeps): Route[] => [
  route(endpoints.account.getPermissions, async (call) => {
    const { userId } = call.params;
    await requireReadableAccount(pool, call, userId);
    return permissions.get({ orgId: call.org.id, userId });
  }),
  route(endpoints.account.changePermission, (call) =>
    permissions.change(callerOf(call), { ...call.params, actions: call.body.actions }),
  ),
  route(endpoints.account.removePermission, (call) => {
    const { userId, key } = call.params;
    return permissions.remove(callerOf(call), { userId, keys: [key] });
  }),
  route(endpoints.account.removePermissions, (call) => permissions.remove(callerOf(call), call.body)),
  route(endpoints.account.namePermissions, (call) => permissions.name(callerOf(call), call.body)),
  route(endpoints.account.refreshPermissions, ({ org, principal }) =>
    permissions.refresh(org, principal.userId),
  ),
];
