import { endpoints } from '@simcube/contract';
import type { RuleActionKind } from '@simcube/contract/autoflow';
import { session } from '../../lib/session/index.ts';

/** Whether the person may create and change rules; the server checks again. */
export const mayWrite = (): boolean => session.can('autoflow-cube', 'write');

/** The call whose permission an action requires: changes to SIMs are made in the name of the person who saves the rule. */
const calls = {
  'data-off': endpoints.sim.suspend,
  slow: endpoints.sim.suspend,
  'terminate-order': endpoints.sim.terminate,
  'suspend-mt-sms': endpoints.sms.suspendMt,
  suspend: endpoints.sim.suspend,
  'add-tag': endpoints.sim.saveTag,
} as const satisfies Partial<Record<RuleActionKind, { access: object }>>;

/** Whether the person may save a rule with such an action; the server checks again. */
export const mayUseAction = (kind: RuleActionKind): boolean => {
  if (kind === 'mail' || kind === 'api' || kind === 'sms') return true;
  const { key, action } = calls[kind].access;
  return session.can(key, action);
};
