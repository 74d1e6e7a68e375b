import { endpoints, type Page } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { typed } from '../../platform/db/index.ts';
import { page, type Route, route } from '../../platform/http/index.ts';
import { asked, readPage } from '../../platform/lists/index.ts';
import { createGroups, type GroupCaller } from './groups.service.ts';
import { type GroupKind, type GroupRow, groupList } from './groups.views.ts';

export interface NotifyOptions {
  pool: pg.Pool;
  clock: Clock;
}

const callerOf = (call: {
  org: { id: number };
  principal: { userId: string };
  actor: GroupCaller['actor'];
}): GroupCaller => ({ orgId: call.org.id, userId: call.principal.userId, actor: call.actor });

const named = ({ id, name, created_at }: GroupRow) => ({
  id: String(id),
  name,
  created_at: created_at.toISOString(),
});
const addressGroup = (row: GroupRow) => ({ ...named(row), emails: row.addresses });
const smsGroup = (row: GroupRow) => ({ ...named(row), phones: row.addresses });

export const notifyRoutes = ({ pool, clock }: NotifyOptions): Route[] => {
  const { notify: calls } = endpoints;
  const emails = createGroups({ pool, clock }, 'email');
  const phones = createGroups({ pool, clock }, 'sms');
  const db = typed(pool);
  const groupsOf = async <G>(
    kind: GroupKind,
    { org, query }: { org: { id: number }; query: Page & { search?: string | undefined } },
    shown: (row: GroupRow) => G,
  ) => {
    const scope = { orgId: org.id, kind };
    const { data, ...rest } = await readPage(db, groupList, { scope, now: clock.now(), ...asked(query) });
    return page({ ...rest, data: data.map(shown) });
  };
  return [
    route(calls.listGroups, (call) => groupsOf('email', call, addressGroup)),
    route(calls.createGroup, async (call) => {
      const { name, emails: addresses } = call.body;
      return addressGroup(await emails.create(callerOf(call), { name, addresses }));
    }),
    route(calls.updateGroup, async (call) => {
      const { groupId, name, emails: addresses } = call.body;
      return addressGroup(await emails.update(callerOf(call), { id: Number(groupId), name, addresses }));
    }),
    route(calls.listSmsGroups, (call) => groupsOf('sms', call, smsGroup)),
    route(calls.createSmsGroup, async (call) => {
      const { name, phones: addresses } = call.body;
      return smsGroup(await phones.create(callerOf(call), { name, addresses }));
    }),
    route(calls.updateSmsGroup, async (call) => {
      const { groupId, name, phones: addresses } = call.body;
      return smsGroup(await phones.update(callerOf(call), { id: Number(groupId), name, addresses }));
    }),
  ];
};
