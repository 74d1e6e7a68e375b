import { limits } from '@simcube/contract';
import type { SavedView, SimFilter } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { countViews, deleteView, insertView, lockViews, type ViewOwner } from './saved-views.queries.ts';
import { shownView } from './saved-views.views.ts';

export interface SavedViewsOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** @throws Failure CB-01-0022, CB-01-0023 */
export const saveView = (
  { pool, clock }: SavedViewsOptions,
  { owner, actor }: { owner: ViewOwner; actor: Actor },
  { name, filter }: { name: string; filter: SimFilter },
): Promise<SavedView> =>
  inTransaction(pool, async (tx) => {
    const at = clock.now();
    const max = limits.savedViews.perPerson;
    await lockViews(tx, owner);
    if ((await countViews(tx, owner)) >= max) fail('CB-01-0022', { values: { max } });
    const row = (await insertView(tx, owner, { name, filter, at })) ?? fail('CB-01-0023');
    const subject = { kind: 'view', id: String(row.id), name } as const;
    await recordAudit(tx, { orgId: owner.orgId, actor, at, subject, after: { name, filter } });
    return shownView(row);
  });

/** @throws Failure CB-00-0404 for a view that there is not, or that is another person's */
export const removeView = (
  { pool, clock }: SavedViewsOptions,
  { owner, actor }: { owner: ViewOwner; actor: Actor },
  id: string,
): Promise<null> =>
  inTransaction(pool, async (tx) => {
    const row = (await deleteView(tx, owner, id)) ?? fail('CB-00-0404');
    const subject = { kind: 'view', id: String(row.id), name: row.name } as const;
    const before = { name: row.name, filter: row.filter };
    await recordAudit(tx, { orgId: owner.orgId, actor, at: clock.now(), subject, before });
    return null;
  });
