import {
  type NewTrigger,
  type RuleAction,
  ruleDefinitionSchema,
  type ScopeKind,
  type Trigger,
} from '@simcube/contract/autoflow';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, joinList, useFormat } from '../../lib/format/index.ts';

type AnyTrigger = Trigger | NewTrigger;
type Threshold = Extract<AnyTrigger, { kind: 'data-usage' }>['threshold'];
interface ScopeText {
  kind: ScopeKind;
  tags?: readonly string[];
  types?: readonly string[];
}

/** Describes rules in the person's language and number format. */
export const useRuleTexts = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => ({
      when: (trigger: AnyTrigger): string => whenOf(trigger, t, format),
      threshold: (threshold: Threshold): string => thresholdOf(threshold, format),
      scope: (scope: ScopeText): string => scopeOf(scope, t),
      action: (action: RuleAction): string => actionOf(action, t),
      /** Formats a field of a rule from a change or an audit entry; undefined for one that is shown as stored. */
      value: (field: string, value: unknown): string | undefined => partOf(field, value, { t, format }),
    }),
    [t, format],
  );
};

/** The fields of a rule that are described in words. */
const partsSchema = ruleDefinitionSchema
  .pick({ trigger: true, scope: true, actions: true, active_from: true, active_until: true })
  .partial();

const partOf = (
  field: string,
  value: unknown,
  { t, format }: { t: TFunction; format: Format },
): string | undefined => {
  if (!(field in partsSchema.shape)) return undefined;
  const { trigger, scope, actions, active_from, active_until } =
    partsSchema.safeParse({ [field]: value }).data ?? {};
  const moment = active_from ?? active_until;
  if (trigger) return whenOf(trigger, t, format);
  if (scope) return scopeOf(scope, t);
  if (actions) return joinList(actions.map((action) => actionOf(action, t)));
  return moment ? format.dateTime(moment) : undefined;
};

const thresholdOf = ({ unit, amount }: Threshold, { count, percent }: Format): string =>
  unit === '%' ? percent(amount / 100) : `${count(amount)} ${unit}`;

const whenOf = (trigger: AnyTrigger, t: TFunction, format: Format): string => {
  const { count } = format;
  switch (trigger.kind) {
    case 'status-change':
      return t('autoflow.when.status-change', {
        from: trigger.from === 'any' ? t('autoflow.any') : t(`sim.lifecycle.${trigger.from}`),
        to: joinList(trigger.to.map((one) => t(`sim.lifecycle.${one}`))),
      });
    case 'data-usage':
      return t('autoflow.when.data-usage', {
        amount: thresholdOf(trigger.threshold, format),
        period: t(`autoflow.periods.${trigger.period}`),
      });
    case 'sms-mt':
    case 'sms-mo':
      return t(`autoflow.when.${trigger.kind}`, {
        amount: count(trigger.count),
        period: t(`autoflow.periods.${trigger.period}`),
      });
    case 'imei-change':
      return t(`autoflow.when.imei-${trigger.to}`);
    case 'first-use':
      return trigger.unused_days === null
        ? t('autoflow.when.first-use')
        : t('autoflow.when.unused', { count: trigger.unused_days });
    case 'lifecycle-expiry':
      return t('autoflow.when.lifecycle-expiry', { count: trigger.days });
    case 'silent':
      return t('autoflow.when.silent', { count: trigger.hours });
    case 'country':
      return t(`autoflow.when.${trigger.change}`, {
        countries: joinList(trigger.countries.map(format.country)),
      });
    case 'sessions':
      return t('autoflow.when.sessions', { count: trigger.per_hour, shown: count(trigger.per_hour) });
    case 'cost':
      return t('autoflow.when.cost', { amount: format.money(trigger) });
    case 'unusual-usage':
      return t('autoflow.when.unusual-usage', { multiple: count(trigger.multiple) });
  }
};

const scopeOf = ({ kind, tags = [], types = [] }: ScopeText, t: TFunction): string => {
  switch (kind) {
    case 'tags':
      return joinList(tags);
    case 'product-type':
      return joinList(types.map((type) => t(`sim.bundleType.${type as 'test plan'}`)));
    default:
      return t(`autoflow.scopes.${kind}`);
  }
};

const actionOf = (action: RuleAction, t: TFunction): string => {
  switch (action.kind) {
    case 'slow':
      return t('autoflow.actions.slow', { kbps: action.kbps });
    case 'add-tag':
      return t('autoflow.actions.add-tag', { tag: action.tag });
    default:
      return t(`autoflow.actions.${action.kind}`);
  }
};
