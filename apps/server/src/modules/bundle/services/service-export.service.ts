import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { countRows } from '../../../platform/lists/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requireRows } from '../../sim/index.ts';
import { startFileWork } from '../../task/index.ts';
import type { ServiceExport } from './service-export.work.ts';
import { orgServiceList } from './service-list.views.ts';

export interface ServiceExportOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

/** Accepts an export of bundle orders; the file is made in the background. @throws Failure CB-09-0010, CB-09-0011 */
export const orderServiceExport = async (
  { pool, db, clock }: ServiceExportOptions,
  { org, userId, actor }: { org: { id: number }; userId: string; actor: Actor },
  parameters: ServiceExport,
): Promise<{ reference_id: string; quantity: number }> => {
  const at = clock.now();
  const { filter, format } = parameters;
  const scope = { orgId: org.id };
  const most = limits.exportRows + 1;
  const quantity = await countRows(db, orgServiceList, { scope, filter, now: at, most });
  requireRows(quantity);
  return inTransaction(pool, async (tx) => {
    const task = await startFileWork(tx, {
      orgId: org.id,
      userId,
      actor,
      type: 'service-export',
      remark: null,
      parameters,
      at,
      quantity,
    });
    await recordAudit(tx, {
      orgId: org.id,
      actor,
      at,
      subject: { kind: 'task', id: task.reference_id, name: task.reference_id },
      after: { orders: quantity, format },
    });
    return task;
  });
};
