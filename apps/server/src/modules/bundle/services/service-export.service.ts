import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { countRows } from '../../../platform/lists/index.ts';
import { orderExport } from '../../task/index.ts';
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
  const limit = limits.exportRows + 1;
  const quantity = await countRows(db, orgServiceList, { scope, filter, now: at, most: limit });
  return orderExport(pool, {
    orgId: org.id,
    userId,
    actor,
    type: 'service-export',
    parameters,
    at,
    quantity,
    auditDetails: { orders: quantity, format },
  });
};
