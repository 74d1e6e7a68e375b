import type { RuleAction, RuleActionKind, Trigger } from '@simcube/contract/autoflow';

const notifications = ['mail', 'api', 'sms'] as const satisfies readonly RuleActionKind[];
export type NotificationAction = Extract<RuleAction, { kind: (typeof notifications)[number] }>;
export type OperationAction = Exclude<RuleAction, NotificationAction>;

export const isNotification = (kind: RuleActionKind): kind is NotificationAction['kind'] =>
  (notifications as readonly RuleActionKind[]).includes(kind);

/** Operations whose effect ends with the SIM's cycle, or that end its order. */
const operationsOnCycles: readonly RuleActionKind[] = ['data-off', 'slow', 'terminate-order'];

/** Whether an operation is meant for the cycle for which the rule fires, and for no later one. */
export const isForFiredCycle = (trigger: Trigger, action: RuleActionKind): boolean =>
  operationsOnCycles.includes(action) &&
  (trigger.kind === 'cost' || ('period' in trigger && trigger.period === 'cycle'));
