import type { RuleAction, RuleActionKind } from '@simcube/contract/autoflow';

const notifications = ['mail', 'api', 'sms'] as const satisfies readonly RuleActionKind[];
export type NotificationAction = Extract<RuleAction, { kind: (typeof notifications)[number] }>;
export type OperationAction = Exclude<RuleAction, NotificationAction>;

export const isNotification = (kind: RuleActionKind): kind is NotificationAction['kind'] =>
  (notifications as readonly RuleActionKind[]).includes(kind);
