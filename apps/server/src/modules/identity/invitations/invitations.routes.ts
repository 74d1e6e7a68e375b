import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import { callerOf } from '../people/caller.ts';
import type { AcceptanceService } from './acceptance.service.ts';
import type { InvitationsService } from './invitations.service.ts';

export const invitationsRoutes = ({
  invitations,
  acceptance,
}: {
  invitations: InvitationsService;
  acceptance: AcceptanceService;
}): Route[] => [
  route(endpoints.identity.invite, async (call) => {
    const { first_name: firstName, last_name: lastName, ...invitation } = call.body;
    return { id: await invitations.invite(callerOf(call), { ...invitation, firstName, lastName }) };
  }),
  route(endpoints.identity.revokeInvitation, async (call) => {
    await invitations.revoke(callerOf(call), call.query.invitationId);
    return null;
  }),
  route(endpoints.identity.readInvitation, ({ body }) => invitations.read(body.token)),
  route(endpoints.identity.acceptInvitation, ({ body, actor }) =>
    acceptance.accept({ ...body, person: body.person, actor }),
  ),
  route(endpoints.identity.signInInvited, ({ body, userAgent, actor }) =>
    acceptance.signIn({ ...body, userAgent, actor }),
  ),
];
