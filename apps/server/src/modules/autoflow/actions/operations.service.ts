import { allows, type PermissionMap } from '@simcube/contract';
import type { RuleAction } from '@simcube/contract/autoflow';
import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { terminateOrderRule } from '../../bundle/index.ts';
import { requirePermission } from '../../org/index.ts';
import {
  dataOffRule,
  type OperationRule,
  simItems,
  slowDownRule,
  suspendRule,
  tagsRule,
} from '../../sim/index.ts';
import { suspendMtRule } from '../../sms/index.ts';
import { startWork } from '../../task/index.ts';
import { isNotification, type OperationAction } from '../engine/actions.rules.ts';

/** The operation and its parameters. */
const operationOf = (
  action: OperationAction,
): { rule: Pick<OperationRule, 'type' | 'access'>; parameters: object } => {
  switch (action.kind) {
    case 'data-off':
      return { rule: dataOffRule, parameters: {} };
    case 'slow':
      return { rule: slowDownRule, parameters: { rate_kbps: action.kbps } };
    case 'terminate-order':
      return { rule: terminateOrderRule, parameters: {} };
    case 'suspend-mt-sms':
      return { rule: suspendMtRule, parameters: {} };
    case 'suspend':
      return { rule: suspendRule, parameters: {} };
    case 'add-tag':
      return { rule: tagsRule, parameters: { add: [action.tag], remove: [] } };
  }
};

/** Whether the permissions suffice for all operations that a rule carries out on SIMs. */
export const mayOrder = (permissions: PermissionMap, actions: readonly RuleAction[]): boolean =>
  actions.every((action) => {
    if (isNotification(action.kind)) return true;
    const { access } = operationOf(action as OperationAction).rule;
    return allows(permissions, access.key, access.action);
  });

/** The actor in the events of SIMs: the rule, by its name. */
const ruleActor = (name: string): Actor => ({
  kind: 'system',
  id: null,
  address: null,
  traceId: null,
  action: undefined,
  name,
});

/**
 * Orders an operation of a rule on SIMs, in the name of the rule's owner, who sees it in the task centre.
 * @throws Failure if the rule has no owner, or its owner may no longer order the operation
 * @returns the task's reference
 */
export const orderOperation = async (
  tx: Sql,
  order: {
    rule: { orgId: number; ownerId: string | null; name: string };
    action: OperationAction;
    sims: readonly { simId: number; iccid: string }[];
    /** Only in the cycles that run now. */
    inCycle: boolean;
    at: Date;
  },
): Promise<string> => {
  const { orgId, ownerId, name } = order.rule;
  const { rule, parameters } = operationOf(order.action);
  const userId = ownerId ?? fail('CB-05-0001');
  await requirePermission(tx, { orgId, userId, key: rule.access.key, action: rule.access.action });
  const task = await startWork(tx, {
    orgId,
    userId,
    at: order.at,
    access: rule.access,
    parameters: order.inCycle ? { ...parameters, cycle_at: order.at.toISOString() } : parameters,
    actor: ruleActor(name),
    type: rule.type,
    remark: name,
    kind: simItems,
    items: order.sims.map(({ simId, iccid }) => ({ ref: simId, label: iccid })),
  });
  return task.reference_id;
};
