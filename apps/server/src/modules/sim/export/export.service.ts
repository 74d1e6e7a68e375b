import { type Language, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { FileFormat } from '@simcube/contract/task';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { startFileWork } from '../../task/index.ts';
import type { Orderer, OrderingOptions, TaskStarted } from '../ordering/ordering.service.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { countSelected } from './export.views.ts';

export interface ExportOrder {
  selection: SimSelection;
  format: FileFormat;
  language: Language;
  timeZone: string;
}

/** Accepts an export; the file is made in the background. */
export const orderExport = async (
  { pool, db, clock, audit }: OrderingOptions,
  { org, userId, actor }: Orderer,
  order: ExportOrder,
): Promise<TaskStarted> => {
  const at = clock.now();
  const { selection } = order;
  const max = limits.exportRows;
  const question = { db, scope: scopedTo(org), selection, limit: max + 1, now: at };
  const quantity = await countSelected(question);
  if (quantity === 0) fail('CB-09-0010');
  if (quantity > max) fail('CB-09-0011', { values: { max } });
  return inTransaction(pool, async (tx) => {
    const task = await startFileWork(tx, {
      orgId: org.id,
      userId,
      actor,
      type: 'sim-export',
      remark: null,
      parameters: order,
      at,
      quantity,
    });
    await audit(tx, {
      orgId: org.id,
      actor,
      at,
      subject: { kind: 'task', id: task.reference_id, name: task.reference_id },
      after: { sims: quantity, format: order.format },
    });
    return task;
  });
};
