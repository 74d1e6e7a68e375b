import { type Language, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { FileFormat } from '@simcube/contract/task';
import type { Db } from '../../../platform/db/index.ts';
import { orderExport } from '../../task/index.ts';
import type { Orderer, OrderingOptions, TaskStarted } from '../ordering/ordering.service.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { countSelected } from './export.views.ts';

export interface ExportOrder {
  selection: SimSelection;
  format: FileFormat;
  language: Language;
  timeZone: string;
}

/** Accepts an export of SIMs. @throws Failure CB-09-0010, CB-09-0011 */
export const orderSimExport = async (
  { pool, db, clock }: OrderingOptions & { db: Db },
  { org, userId, actor }: Orderer,
  order: ExportOrder,
): Promise<TaskStarted> => {
  const at = clock.now();
  const { selection } = order;
  const query = { db, scope: scopedTo(org), selection, limit: limits.exportRows + 1, now: at };
  const quantity = await countSelected(query);
  return orderExport(pool, {
    orgId: org.id,
    userId,
    actor,
    type: 'sim-export',
    parameters: order,
    at,
    quantity,
    auditDetails: { sims: quantity, format: order.format },
  });
};
