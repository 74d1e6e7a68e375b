import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { lockOrganisation, stillAllowed } from '../org/index.ts';
import { countGroups, insertGroup, isNameTaken, lockGroup, updateGroup } from './groups.queries.ts';
import type { GroupKind, GroupRow } from './groups.views.ts';

export interface GroupCaller {
  orgId: number;
  userId: string;
  actor: Actor;
}

interface Wanted {
  name: string;
  addresses: readonly string[];
}

/** What the trail calls the addresses of a kind. */
const fieldOf: Record<GroupKind, string> = { email: 'emails', sms: 'phones' };

/** Groups of one kind: their addresses were checked by the endpoint's schema. */
export const createGroups = ({ pool, clock }: { pool: pg.Pool; clock: Clock }, kind: GroupKind) => {
  /** Groups of an organisation change one after another, so that neither names nor their number can pass a check together. */
  const changing = <T>({ orgId, userId }: GroupCaller, work: (tx: Sql) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (tx) => {
      await stillAllowed(tx, { orgId, userId, key: 'account', action: 'write' });
      await lockOrganisation(tx, orgId);
      return work(tx);
    });
  const record = (
    tx: Sql,
    { orgId, actor }: GroupCaller,
    { group, ...changed }: { group: GroupRow; before: object | null; after: object },
  ) =>
    recordAudit(tx, {
      orgId,
      actor,
      at: clock.now(),
      subject: { kind: 'group', id: String(group.id), name: group.name },
      before: changed.before as Record<string, unknown> | null,
      after: changed.after as Record<string, unknown>,
    });
  return {
    /** @throws Failure CB-09-0016 when the name is taken, CB-09-0018 when there are as many as may be */
    create: (caller: GroupCaller, { name, addresses }: Wanted): Promise<GroupRow> =>
      changing(caller, async (tx) => {
        const { orgId } = caller;
        if (await isNameTaken(tx, { orgId, kind, name, besides: null })) fail('CB-09-0016');
        if ((await countGroups(tx, { orgId, kind })) >= limits.addressGroups.perOrganisation)
          fail('CB-09-0018', { values: { max: limits.addressGroups.perOrganisation } });
        const group = await insertGroup(tx, { orgId, kind, name, addresses, at: clock.now() });
        if (!group) throw new Error('The group was not made');
        await record(tx, caller, { group, before: null, after: { name, [fieldOf[kind]]: addresses } });
        return group;
      }),

    /** @throws Failure CB-09-0017 when the organisation has no such group, CB-09-0016 when the name is taken */
    update: (caller: GroupCaller, { id, name, addresses }: Wanted & { id: number }): Promise<GroupRow> =>
      changing(caller, async (tx) => {
        const { orgId } = caller;
        const group = (await lockGroup(tx, { orgId, kind, id })) ?? fail('CB-09-0017');
        if (await isNameTaken(tx, { orgId, kind, name, besides: id })) fail('CB-09-0016');
        const { before, after } = changesOf(group, { name, [fieldOf[kind]]: addresses }, fieldOf[kind]);
        if (Object.keys(after).length === 0) return group;
        await updateGroup(tx, { id, name, addresses });
        const changed = { ...group, name, addresses: [...addresses] };
        await record(tx, caller, { group: changed, before, after });
        return changed;
      }),
  };
};

/** The fields that become something else, as they were and as they become. */
const changesOf = (group: GroupRow, wanted: Record<string, unknown>, field: string) => {
  const was: Record<string, unknown> = { name: group.name, [field]: group.addresses };
  const fields = Object.keys(wanted).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(wanted[name]),
  );
  const only = (values: Record<string, unknown>) =>
    Object.fromEntries(fields.map((name) => [name, values[name]]));
  return { before: only(was), after: only(wanted) };
};
