import { endpoints } from '@simcube/contract';
import { typed } from '../../platform/db/index.ts';
import { page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { createEnterprises, type OrgCaller } from './enterprise/enterprise.service.ts';
import { createEnterpriseEdits } from './enterprise/enterprise-edit.service.ts';
import { createEnterpriseRemoval, type RemovalOptions } from './enterprise/enterprise-removal.service.ts';
import { myOrganisations } from './tree/org.views.ts';

const callerOf = (call: {
  principal: Pick<OrgCaller, 'userId' | 'sessionBeganAt'>;
  org: OrgCaller['org'];
  address: string;
}): OrgCaller => {
  const { userId, sessionBeganAt } = call.principal;
  return { userId, sessionBeganAt, org: call.org, address: call.address };
};

export const orgRoutes = (deps: RemovalOptions): Route[] => {
  const db = typed(deps.pool);
  const enterprises = createEnterprises(deps);
  const edits = createEnterpriseEdits(deps);
  const removal = createEnterpriseRemoval(deps);
  return [
    route(endpoints.org.listMine, async ({ query, principal }) => {
      const scope = { userId: principal.userId };
      return page(
        await readPage(db, myOrganisations, { scope, now: deps.clock.now(), ...pageQueryOf(query) }),
      );
    }),
    route(endpoints.org.create, (call) => enterprises.create(callerOf(call), call)),
    route(endpoints.org.chooseDefault, ({ principal, actor, params }) =>
      enterprises.chooseDefault(principal.userId, { actor, orgId: Number(params.orgId) }),
    ),
    route(endpoints.org.getLimits, (call) => enterprises.limits(callerOf(call), call.params.orgCode)),
    route(endpoints.org.getSeats, (call) => enterprises.seats(callerOf(call), call.params.orgCode)),
    route(endpoints.org.verifySubOrganisations, (call) =>
      enterprises.verifySubOrganisations(callerOf(call), call.params.orgCode),
    ),
    route(endpoints.org.getEnterprise, (call) => enterprises.get(callerOf(call), call.params.orgCode)),
    route(endpoints.org.updateEnterprise, (call) =>
      edits.update(callerOf(call), { actor: call.actor, edit: call.body }),
    ),
    route(endpoints.org.deleteEnterprise, async (call) => {
      await removal.remove(callerOf(call), { actor: call.actor, code: call.params.orgCode });
      return null;
    }),
  ];
};
