import { endpoints } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import { requirePermission } from '../org/index.ts';
import type { Orderer } from '../sim/index.ts';

const { access } = endpoints.autoflow.create;

/** @throws Failure CB-05-0001, naming the missing resource */
export const requireWriteAccess = (tx: Sql, { org, userId }: Pick<Orderer, 'org' | 'userId'>) =>
  requirePermission(tx, { orgId: org.id, userId, ...access });
