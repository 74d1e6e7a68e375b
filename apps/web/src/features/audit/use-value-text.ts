import {
  type Action,
  actions,
  type Language,
  languages,
  type PermissionKey,
  permissionKeys,
  type Role,
  roles,
} from '@simcube/contract';
import { type ScheduleMode, scheduleModes } from '@simcube/contract/schedule';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Format, joinList, useFormat } from '../../lib/format/index.ts';
import { instants } from '../../lib/time/index.ts';
import { type Calendar, useCalendar } from '../../ui/time/index.ts';
import { useRuleTexts } from '../autoflow/index.ts';
import { weekTimeText } from '../schedule/index.ts';

interface Formatters {
  t: TFunction;
  format: Format;
  calendar: Calendar;
  rule: ReturnType<typeof useRuleTexts>;
}

/** Fields of the entry, before and after: amounts are formatted by the currency next to them. */
type Values = Readonly<Record<string, unknown>>;

/** Formats a field's value for display. */
export const useValueText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const rule = useRuleTexts();
  return (field: string, value: unknown, values: Values): string =>
    valueText(field, value, { values, formatters: { t, format, calendar, rule } });
};

const isOneOf = <T extends string>(set: readonly T[], value: unknown): value is T =>
  set.some((one) => one === value);

interface FieldContext {
  values: Values;
  formatters: Formatters;
}

const valueText = (field: string, value: unknown, context: FieldContext): string => {
  const { t, rule } = context.formatters;
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  const ruleText = rule.value(field, value);
  if (ruleText !== undefined) return ruleText;
  if (typeof value === 'number') return numberText(field, value, context);
  if (typeof value === 'string') return stringText(field, value, context.formatters);
  if (Array.isArray(value)) {
    const all = (value as unknown[]).map((one) => valueText(field, one, context));
    return all.length > 0 ? joinList(all) : t('audit.list');
  }
  if (field === 'sms_quota') return quotaText(value as Values, context.formatters);
  if (field === 'permissions') return permissionsText(value as Values, context.formatters);
  if (field === 'texts') return templateText(value as Values, context.formatters);
  return JSON.stringify(value);
};

/** Octets, and money in minor units of the currency next to it. */
const numberText = (
  field: string,
  value: number,
  { values, formatters: { t, format } }: FieldContext,
): string => {
  if (field.endsWith('_bytes')) return format.bytes(value).text;
  if (!field.endsWith('_minor')) return format.count(value);
  const { currency } = values;
  return typeof currency === 'string'
    ? format.money({ currency, amount_minor: value })
    : t('audit.minorUnits', { shown: format.count(value) });
};

const stringText = (field: string, value: string, formatters: Formatters): string => {
  const { t, format } = formatters;
  if (field === 'role' && isOneOf<Role>(roles, value)) return t(`common.roles.${value}`);
  if (field === 'locale' || field === 'language') return languageName(value, t);
  if (field === 'country') return format.country(value);
  if (field === 'mode' && isOneOf<ScheduleMode>(scheduleModes, value)) return t(`schedule.modes.${value}`);
  if (field === 'status') return statusText(value, t);
  if (field === 'times') return weekTimeText(value, t);
  if (field === 'scene' && isOneOf(['list', 'detail'] as const, value)) return t(`audit.scenes.${value}`);
  if (field === 'paused' && isOneOf(['failing', 'gone'] as const, value))
    return t(`notify.pausedFor.${value}`);
  return timeText(field, value, formatters);
};

const languageName = (value: string, t: TFunction): string =>
  isOneOf<Language>(languages, value) ? t(`common.languages.${value}`) : value;

const statusText = (value: string, t: TFunction): string => {
  if (value === 'enabled') return t('developer.webhook.statuses.enabled');
  return isOneOf(['active', 'disabled', 'pending'] as const, value) ? t(`account.statuses.${value}`) : value;
};

const dayFields = ['paid_on', 'starts_on', 'first_day', 'last_day'];

const timeText = (field: string, value: string, { format, calendar }: Formatters): string => {
  if (dayFields.includes(field) && z.iso.date().safeParse(value).success) return calendar.day(value);
  // Local time in the time zone next to it.
  if (field === 'run_at') return instants(format.language, 'UTC').format(`${value}Z`, 'dateTime');
  if (field === 'month' && /^\d{4}-\d{2}$/.test(value)) return calendar.longMonth(value);
  if (z.iso.datetime().safeParse(value).success) return format.dateTime(value);
  return value;
};

/** A template's texts: subject and text of each language's email, and its short message. */
const templateText = (texts: Values, { t }: Formatters): string =>
  Object.entries(texts)
    .map(([language, content]) => {
      const { subject, text, sms } = (content ?? {}) as Values;
      const parts = [subject, text, sms].filter((part) => typeof part === 'string');
      return [t('kit.marks.named', { name: languageName(language, t), value: '' }).trim(), ...parts].join(
        '\n',
      );
    })
    .join('\n\n');

const quotaText = ({ kind, messages }: Values, { t, format }: Formatters): string => {
  if (kind === 'custom') return t('org.quota.count', { messages: format.count(Number(messages)) });
  if (kind === 'inherit') return t('org.quota.inherited');
  return isOneOf(['unlimited', 'none'] as const, kind) ? t(`org.quota.${kind}`) : String(kind);
};

const permissionsText = (permissions: Values, { t }: Formatters): string => {
  const areas = Object.entries(permissions).map(([key, granted]) => {
    const area = isOneOf<PermissionKey>(permissionKeys, key) ? t(`account.permissions.keys.${key}`) : key;
    const actionNames = (Array.isArray(granted) ? (granted as unknown[]) : []).map((one) =>
      permissionText(one, t),
    );
    const value = actionNames.length > 0 ? joinList(actionNames) : t('account.roleMatrix.none');
    return t('kit.marks.named', { name: area, value });
  });
  return areas.length > 0 ? areas.join(' · ') : t('audit.list');
};

const permissionText = (permission: unknown, t: TFunction): string => {
  if (permission === 'all') return t('account.roleMatrix.all');
  return isOneOf<Action>(actions, permission) && permission !== 'all'
    ? t(`account.permissions.actions.${permission}`)
    : String(permission);
};
