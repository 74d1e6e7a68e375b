import type { Actor } from '../../platform/access/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { emit } from '../../platform/outbox/index.ts';
import { recordAudit } from '../audit/index.ts';
import { requirePermission } from '../org/index.ts';
import { poolEvaluated } from './pool.events.ts';
import { lockPool, updatePool } from './pool.queries.ts';

/**
 * Renames a pool of the caller's organisation.
 * @throws Failure CB-03-0001 if it is not the organisation's, CB-03-0002 if another pool has the name
 */
export const renamePool = async (
  tx: Sql,
  { orgId, userId, actor }: { orgId: number; userId: string; actor: Actor },
  { id, name, at }: { id: number; name: string; at: Date },
): Promise<{ id: string; name: string }> => {
  await requirePermission(tx, { orgId, userId, key: 'shared-pool-cube', action: 'write' });
  const pool = await lockPool(tx, id);
  if (pool?.orgId !== orgId) return fail('CB-03-0001');
  if (pool.name === name) return { id: String(id), name };
  if (!(await updatePool(tx, { ...pool, name }, at))) return fail('CB-03-0002');
  await emit(tx, poolEvaluated, { orgId, payload: { poolId: id } });
  const subject = { kind: 'pool', id: String(id), name } as const;
  await recordAudit(tx, { orgId, actor, at, subject, before: { name: pool.name }, after: { name } });
  return { id: String(id), name };
};
