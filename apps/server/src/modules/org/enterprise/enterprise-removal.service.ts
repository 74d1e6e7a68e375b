import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requirePermission } from '../admission/admission.service.ts';
import { restoreDefaults } from '../memberships/seats.queries.ts';
import { deleteOrganisation, hasProcessingTasks, lockForRemoval, lockMembers } from './enterprise.queries.ts';
import { getVisibleOrganisation, managePermission, type OrgCaller } from './enterprise.service.ts';
import { ownQuota, type TreeOrganisation } from './enterprise.views.ts';

const foreignKeyViolation = '23503';

/** What finance knows: an organisation with charges that are not billed yet can't be deleted. */
type HasUnbilledCharges = (sql: Sql, query: { orgId: number; now: Date }) => Promise<boolean>;

export interface RemovalOptions {
  pool: pg.Pool;
  clock: Clock;
  hasUnbilledCharges: HasUnbilledCharges;
}

export const createEnterpriseRemoval = ({ pool, clock, hasUnbilledCharges }: RemovalOptions) => ({
  /**
   * Deletes an organisation below the caller's: never the current one, and none outside that subtree.
   * @throws Failure CB-07-0029, CB-07-0132, CB-07-0134
   */
  async remove(caller: OrgCaller, { actor, code }: { actor: Actor; code: string }): Promise<void> {
    await inRepeatableTransaction(pool, async (tx) => {
      await requirePermission(tx, managePermission(caller));
      const { organisation, reach } = await getVisibleOrganisation(tx, caller, code);
      if (reach === 'current') fail('CB-07-0132');
      if (reach === 'member') fail('CB-07-0134');
      await removeOrganisation(tx, { organisation, actor, at: clock.now(), hasUnbilledCharges });
    });
  },
});

/**
 * Deletes it with its memberships and invitations; its people and its audit trail remain. Foreign keys detect,
 * under the lock of its row, whatever must not exist, so that nothing can be added concurrently.
 * @throws Failure CB-07-0132 while it has SIMs, bundle orders, sub-organisations, running tasks or unbilled charges
 */
export const removeOrganisation = async (
  tx: Sql,
  removal: { organisation: TreeOrganisation; actor: Actor; at: Date; hasUnbilledCharges: HasUnbilledCharges },
): Promise<void> => {
  const { organisation, actor, at, hasUnbilledCharges } = removal;
  const { id, code, name, country, parent } = organisation;
  // First wait for current writers of this organisation: they hold their memberships, and lock the organisation
  // next.
  const members = await lockMembers(tx, id);
  if (!(await lockForRemoval(tx, id))) fail('CB-07-0029');
  if (await hasProcessingTasks(tx, id)) fail('CB-07-0132');
  if (await hasUnbilledCharges(tx, { orgId: id, now: at })) fail('CB-07-0132');
  try {
    await deleteOrganisation(tx, id);
  } catch (error) {
    if ((error as { code?: unknown }).code === foreignKeyViolation) fail('CB-07-0132');
    throw error;
  }
  await restoreDefaults(tx, members);
  await recordAudit(tx, {
    orgId: parent?.id ?? null,
    actor,
    at,
    subject: { kind: 'organisation', id: String(id), name },
    before: { code, name, country, sms_quota: ownQuota(organisation), accounts: members.length },
    action: 'organisation.deleted',
  });
};
