import { endpoints, limits } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { decodeCursor, encodeCursor, page, type Route, route } from '../../platform/http/index.ts';
import { createEnterprises, type OrgCaller } from './enterprise.service.ts';
import { createEnterpriseEdits } from './enterprise-edit.service.ts';
import { createEnterpriseRemoval } from './enterprise-removal.service.ts';
import { countMine, listMine } from './org.views.ts';

const positionSchema = z.tuple([
  z.number().int(),
  z.string().max(limits.organisationName.max * 2),
  z.number().int(),
]);

const callerOf = (call: {
  principal: Pick<OrgCaller, 'userId' | 'sessionBeganAt'>;
  org: OrgCaller['org'];
  address: string;
}): OrgCaller => {
  const { userId, sessionBeganAt } = call.principal;
  return { userId, sessionBeganAt, org: call.org, address: call.address };
};

export const orgRoutes = (deps: { pool: pg.Pool; clock: Clock }): Route[] => {
  const { pool } = deps;
  const enterprises = createEnterprises(deps);
  const edits = createEnterpriseEdits(deps);
  const removal = createEnterpriseRemoval(deps);
  return [
    route(endpoints.org.listMine, async ({ query, principal }) => {
      const { page_no, page_size, cursor, search = '' } = query;
      const rows = await listMine(pool, {
        userId: principal.userId,
        search,
        // One more than asked for says whether another page follows.
        limit: page_size + 1,
        offset: cursor === undefined ? (page_no - 1) * page_size : 0,
        after: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
      });
      const shown = rows.slice(0, page_size);
      const last = rows.length > page_size ? shown.at(-1) : undefined;
      return page({
        data: shown.map((row) => row.organisation),
        total: await countMine(pool, { userId: principal.userId, search }),
        nextCursor: last ? encodeCursor(last.position) : null,
      });
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
