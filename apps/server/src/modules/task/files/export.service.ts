import { limits } from '@simcube/contract';
import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type NewWork, startFileWork } from '../work/work.service.ts';

/** @throws Failure CB-09-0010, CB-09-0011: more than one file can contain */
export const requireRows = (rows: number, max: number = limits.exportRows): void => {
  if (rows === 0) fail('CB-09-0010');
  if (rows > max) fail('CB-09-0011', { values: { max } });
};

/**
 * Accepts an export: the file is made in the background, as the report of the task; `auditDetails` is recorded in
 * the audit trail.
 * @throws Failure CB-09-0010, CB-09-0011
 */
export const orderExport = async (
  pool: pg.Pool,
  {
    auditDetails,
    ...order
  }: Omit<NewWork, 'remark'> & { quantity: number; auditDetails: Record<string, unknown> },
): Promise<{ reference_id: string; quantity: number }> => {
  requireRows(order.quantity);
  const { orgId, actor, at } = order;
  return inTransaction(pool, async (tx) => {
    const task = await startFileWork(tx, { ...order, remark: null });
    const subject = { kind: 'task', id: task.reference_id, name: task.reference_id } as const;
    await recordAudit(tx, { orgId, actor, at, subject, after: auditDetails });
    return task;
  });
};
