import { endpoints, type Page } from '@simcube/contract';
import type { Channel } from '@simcube/contract/notify';
import { typed } from '../../platform/db/index.ts';
import { fail, page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { deliveryList, readDelivery, stateOf } from './deliveries/deliveries.views.ts';
import { hasTarget } from './deliveries/recipients.views.ts';
import { createTargetTests } from './target-tests.service.ts';
import { createTargets, type TargetCaller, type TargetOptions } from './targets/targets.service.ts';
import { type TargetRow, targetList } from './targets/targets.views.ts';

const callerOf = ({
  org,
  principal,
  language,
  actor,
}: Pick<TargetCaller, 'actor' | 'language'> & {
  org: { id: number };
  principal: { userId: string };
}): TargetCaller => ({ orgId: org.id, userId: principal.userId, language, actor });

const shared = ({ id, version, name, created_at, last_at: at, last_state: state }: TargetRow) => ({
  id: String(id),
  version,
  name,
  created_at: created_at.toISOString(),
  last_delivery: at && state !== null ? { at: at.toISOString(), state: stateOf(state) } : null,
});
const addressGroup = (row: TargetRow) => ({ ...shared(row), emails: row.addresses });
const smsGroup = (row: TargetRow) => ({ ...shared(row), phones: row.addresses });
const apiTarget = (row: TargetRow) => ({
  ...shared(row),
  url: row.addresses[0] ?? '',
  state: row.paused_for ? ('paused' as const) : row.failing ? ('failing' as const) : ('active' as const),
  paused_for: row.paused_for,
  secret_created_at: (row.secret_created_at ?? row.created_at).toISOString(),
  former_secret_until: row.former_secret_until?.toISOString() ?? null,
});

export const notifyRoutes = (options: TargetOptions): Route[] => {
  const { notify: calls } = endpoints;
  const { pool, clock } = options;
  const targets = createTargets(options);
  const testTarget = createTargetTests(options);
  const db = typed(pool);
  const targetPage = async <T>(
    kind: Channel,
    { org, query }: { org: { id: number }; query: Page & { search?: string | undefined } },
    toResponse: (row: TargetRow) => T,
  ) => {
    const scope = { orgId: org.id, kind };
    const { data, ...rest } = await readPage(db, targetList, {
      scope,
      now: clock.now(),
      ...pageQueryOf(query),
    });
    return page({ ...rest, data: data.map(toResponse) });
  };
  const withSecret = ({ target, secret }: { target: TargetRow; secret: string }) => ({
    target: apiTarget(target),
    secret,
  });
  return [
    route(calls.listGroups, (call) => targetPage('email', call, addressGroup)),
    route(calls.createGroup, async (call) => {
      const { name, emails: addresses } = call.body;
      return addressGroup(await targets.create(callerOf(call), { kind: 'email', name, addresses }));
    }),
    route(calls.updateGroup, async (call) => {
      const { groupId, version, name, emails: addresses } = call.body;
      const input = { id: Number(groupId), kind: 'email', version, name, addresses } as const;
      return addressGroup(await targets.update(callerOf(call), input));
    }),
    route(calls.listSmsGroups, (call) => targetPage('sms', call, smsGroup)),
    route(calls.createSmsGroup, async (call) => {
      const { name, phones: addresses } = call.body;
      return smsGroup(await targets.create(callerOf(call), { kind: 'sms', name, addresses }));
    }),
    route(calls.updateSmsGroup, async (call) => {
      const { groupId, version, name, phones: addresses } = call.body;
      const input = { id: Number(groupId), kind: 'sms', version, name, addresses } as const;
      return smsGroup(await targets.update(callerOf(call), input));
    }),
    route(calls.listApiTargets, (call) => targetPage('api', call, apiTarget)),
    route(calls.createApiTarget, async (call) => {
      const { name, url } = call.body;
      return withSecret(await targets.createApi(callerOf(call), { name, addresses: [url] }));
    }),
    route(calls.updateApiTarget, async (call) => {
      const { groupId, version, name, url } = call.body;
      const input = { id: Number(groupId), kind: 'api', version, name, addresses: [url] } as const;
      return apiTarget(await targets.update(callerOf(call), input));
    }),
    route(calls.renewSecret, async (call) =>
      withSecret(await targets.renewSecret(callerOf(call), Number(call.params.groupId))),
    ),
    route(calls.resumeTarget, async (call) =>
      apiTarget(await targets.resume(callerOf(call), Number(call.params.groupId))),
    ),
    route(calls.removeTarget, (call) => targets.remove(callerOf(call), Number(call.params.groupId))),
    route(calls.tryTarget, (call) => testTarget(callerOf(call), Number(call.params.groupId))),
    route(calls.listDeliveries, async ({ org, params, query }) => {
      const scope = { targetId: Number(params.groupId) };
      if (!(await hasTarget(pool, { orgId: org.id, id: scope.targetId }))) fail('CB-09-0017');
      return page(await readPage(db, deliveryList, { scope, now: clock.now(), ...pageQueryOf(query) }));
    }),
    route(
      calls.delivery,
      async ({ org, params }) =>
        (await readDelivery(pool, { orgId: org.id, id: Number(params.deliveryId) })) ?? fail('CB-09-0030'),
    ),
  ];
};
