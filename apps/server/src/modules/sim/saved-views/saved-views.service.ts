import { isDeepStrictEqual } from 'node:util';
import { allows, limits } from '@simcube/contract';
import type { SavedView, SavedViewAction, SimFilter } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockOrganisation, requirePermission } from '../../org/index.ts';
import {
  countShared,
  countViews,
  deleteView,
  insertView,
  isNameTaken,
  lockViews,
  releaseSharedViews,
  setShared,
  storeOrder,
  updateView,
  type ViewContent,
  type ViewOwner,
} from './saved-views.queries.ts';
import { allowedActions } from './saved-views.rules.ts';
import {
  countVisible,
  findView,
  type StoredView,
  toSavedView,
  type ViewsCaller,
} from './saved-views.views.ts';

export interface SavedViewsOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** The person who writes. */
export interface ViewsWriter extends ViewOwner {
  /** By the permissions of the call: a key may have fewer than its account. */
  administers: boolean;
  actor: Actor;
}

interface WriteContext {
  tx: Sql;
  at: Date;
  caller: ViewsCaller;
}

type Change = { [K in keyof ViewContent]?: ViewContent[K] | undefined };

export const createSavedViews = ({ pool, clock }: SavedViewsOptions) => {
  const withWriteAccess = <T>(
    { orgId, userId, ...call }: ViewsWriter,
    work: (context: WriteContext) => Promise<T>,
  ): Promise<T> =>
    inTransaction(pool, async (tx) => {
      const { permissions } = await requirePermission(tx, { orgId, userId, key: 'sim', action: 'read' });
      const administers = call.administers && allows(permissions, 'account', 'write');
      return work({ tx, at: clock.now(), caller: { orgId, userId, administers } });
    });
  return {
    /** @throws Failure CB-01-0022 when the maximum number is reached, CB-01-0023 when the name is taken */
    save: (writer: ViewsWriter, content: ViewContent): Promise<SavedView> =>
      withWriteAccess(writer, async ({ tx, at, caller }) => {
        const max = limits.savedViews.perPerson;
        await lockViews(tx, caller);
        if ((await countViews(tx, caller)) >= max) fail('CB-01-0022', { values: { max } });
        if (await isNameTaken(tx, caller, { name: content.name, exceptId: null })) fail('CB-01-0023');
        const created = await getView(tx, caller, await insertView(tx, caller, { ...content, at }));
        await recordAudit(tx, { ...auditEntryOf(writer, created, at), after: { ...content } });
        return toSavedView(created, caller);
      }),

    /** @throws Failure CB-01-0023 when the owner has another one with the name */
    update: (writer: ViewsWriter, id: string, change: Change): Promise<SavedView> =>
      withWriteAccess(writer, async ({ tx, at, caller }) => {
        const { orgId } = caller;
        // Names are unique per owner, and only the owner may change a view that has one.
        await lockViews(tx, caller);
        const view = await getViewFor(tx, caller, { id, action: 'change' });
        const { before, after } = differences(view, change);
        if (Object.keys(after).length === 0) return toSavedView(view, caller);
        const { userId } = view;
        const name = change.name ?? view.name;
        if (userId !== null && (await isNameTaken(tx, { orgId, userId }, { name, exceptId: view.id })))
          fail('CB-01-0023');
        const content = { name: view.name, filter: view.filter as SimFilter, sort: view.sort, ...after };
        await updateView(tx, view.id, { ...content, at });
        const changed = { ...view, ...content, updatedAt: at };
        await recordAudit(tx, { ...auditEntryOf(writer, changed, at), before, after });
        return toSavedView(changed, caller);
      }),

    /** @throws Failure CB-01-0027 when the organisation shares the maximum number */
    share: (writer: ViewsWriter, id: string): Promise<SavedView> =>
      withWriteAccess(writer, async ({ tx, at, caller }) => {
        const max = limits.savedViews.shared;
        await lockOrganisation(tx, caller.orgId);
        const view = await getViewFor(tx, caller, { id, action: 'change' });
        if (view.shared) return toSavedView(view, caller);
        if ((await countShared(tx, caller.orgId)) >= max) fail('CB-01-0027', { values: { max } });
        await setShared(tx, view.id, at);
        await recordAudit(tx, { ...auditEntryOf(writer, view, at), after: { shared: true } });
        return toSavedView({ ...view, shared: true }, caller);
      }),

    /** @throws Failure CB-01-0028 for a view that belongs to the organisation */
    withdraw: (writer: ViewsWriter, id: string): Promise<null> =>
      withWriteAccess(writer, async ({ tx, at, caller }) => {
        const view = (await findView(tx, caller, id)) ?? fail('CB-00-0404');
        if (!view.shared) return null;
        if (view.userId === null && caller.administers) fail('CB-01-0028');
        requireAction('withdraw', view, caller);
        await setShared(tx, view.id, null);
        await recordAudit(tx, { ...auditEntryOf(writer, view, at), before: { shared: true } });
        return null;
      }),

    remove: (writer: ViewsWriter, id: string): Promise<null> =>
      withWriteAccess(writer, async ({ tx, at, caller }) => {
        const view = await getViewFor(tx, caller, { id, action: 'remove' });
        await deleteView(tx, view.id);
        const { name, filter, sort } = view;
        await recordAudit(tx, { ...auditEntryOf(writer, view, at), before: { name, filter, sort } });
        return null;
      }),

    /** @throws Failure CB-00-0404 when the person can't see one of them */
    order: (writer: ViewsWriter, ids: readonly string[]): Promise<null> =>
      withWriteAccess(writer, async ({ tx, caller }) => {
        const uniqueIds = [...new Set(ids.map((id) => String(BigInt(id))))];
        if ((await countVisible(tx, caller, uniqueIds)) < uniqueIds.length) fail('CB-00-0404');
        await storeOrder(tx, caller, uniqueIds);
        return null;
      }),
  };
};

/**
 * Settles the views of a person who leaves an organisation, in the transaction that ends the membership: shared
 * ones become the organisation's, the others are deleted with the membership.
 */
export const handOverViews = async (
  tx: Sql,
  { orgId, userId, actor, at }: Omit<ViewsWriter, 'administers'> & { at: Date },
): Promise<void> => {
  for (const view of await releaseSharedViews(tx, { orgId, userId })) {
    const entry = auditEntryOf({ orgId, actor }, view, at);
    await recordAudit(tx, { ...entry, action: 'view.passed-on', before: { owner: userId } });
  }
};

const getView = async (tx: Sql, caller: ViewsCaller, id: string): Promise<StoredView> =>
  (await findView(tx, caller, id)) ?? fail('CB-00-0404');

/** A view that the person can't see is not found; one that others share can be read but not changed. */
const getViewFor = async (
  tx: Sql,
  caller: ViewsCaller,
  { id, action }: { id: string; action: SavedViewAction },
): Promise<StoredView> => {
  const view = await getView(tx, caller, id);
  requireAction(action, view, caller);
  return view;
};

const requireAction = (
  action: SavedViewAction,
  { userId, shared }: StoredView,
  caller: ViewsCaller,
): void => {
  if (!allowedActions({ ownerId: userId, shared }, caller).includes(action)) fail('CB-00-0403');
};

const auditEntryOf = (
  { orgId, actor }: Pick<ViewsWriter, 'orgId' | 'actor'>,
  { id, name }: { id: number; name: string },
  at: Date,
) => ({ orgId, actor, at, subject: { kind: 'view' as const, id: String(id), name } });

/** The changed fields, before and after. */
const differences = (view: StoredView, change: Change) => {
  const fields = (['name', 'filter', 'sort'] as const).filter(
    (field) => change[field] !== undefined && !isDeepStrictEqual(view[field], change[field]),
  );
  const pickFields = (values: Record<string, unknown>) =>
    Object.fromEntries(fields.map((field) => [field, values[field]]));
  return { before: pickFields({ ...view }), after: pickFields({ ...change }) };
};
