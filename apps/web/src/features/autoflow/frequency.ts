import type { RulePeriod, TriggerKind } from '@simcube/contract/autoflow';

interface Condition {
  kind: TriggerKind;
  /** Undefined for triggers without a period. */
  period: RulePeriod | undefined;
}

/** How often a rule may fire for a SIM: the key of its phrase. */
export const frequencyOf = ({ kind, period }: Condition) => {
  switch (kind) {
    case 'data-usage':
    case 'sms-mt':
    case 'sms-mo':
      return period ?? 'cycle';
    case 'cost':
      return 'cycle';
    case 'unusual-usage':
      return 'day';
    case 'sessions':
      return 'hour';
    default:
      return 'change';
  }
};
