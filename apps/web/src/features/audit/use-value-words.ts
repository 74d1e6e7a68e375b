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
import { type Format, useFormat } from '../../lib/format/index.ts';
import { type Calendar, useCalendar } from '../../ui/time/index.ts';
import { useRuleWords } from '../autoflow/index.ts';
import { weekTimeText } from '../schedule/index.ts';

interface Words {
  t: TFunction;
  format: Format;
  calendar: Calendar;
  rule: ReturnType<typeof useRuleWords>;
}

/** Fields of the entry, before and after: amounts are formatted by the currency next to them. */
type Values = Readonly<Record<string, unknown>>;

/** Formats a field's value for display. */
export const useValueWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const rule = useRuleWords();
  return (field: string, value: unknown, values: Values): string =>
    valueWords(field, value, { values, words: { t, format, calendar, rule } });
};

const isOneOf = <T extends string>(set: readonly T[], value: unknown): value is T =>
  set.some((one) => one === value);

interface Beside {
  values: Values;
  words: Words;
}

const valueWords = (field: string, value: unknown, beside: Beside): string => {
  const { t, rule } = beside.words;
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  const ofRule = rule.value(field, value);
  if (ofRule !== undefined) return ofRule;
  if (typeof value === 'number') return numberWords(field, value, beside);
  if (typeof value === 'string') return textWords(field, value, beside.words);
  if (Array.isArray(value)) {
    const all = (value as unknown[]).map((one) => valueWords(field, one, beside));
    return all.length > 0 ? all.join(', ') : t('audit.list');
  }
  if (field === 'sms_quota') return quotaWords(value as Values, beside.words);
  if (field === 'permissions') return rightsWords(value as Values, beside.words);
  if (field === 'texts') return textsWords(value as Values, beside.words);
  return JSON.stringify(value);
};

/** Octets, and money in minor units of the currency next to it. */
const numberWords = (field: string, value: number, { values, words: { t, format } }: Beside): string => {
  if (field.endsWith('_bytes')) return format.bytes(value).text;
  if (!field.endsWith('_minor')) return format.count(value);
  const { currency } = values;
  return typeof currency === 'string'
    ? format.money({ currency, amount_minor: value })
    : t('audit.minorUnits', { shown: format.count(value) });
};

const textWords = (field: string, value: string, words: Words): string => {
  const { t, format } = words;
  if (field === 'role' && isOneOf<Role>(roles, value)) return t(`common.roles.${value}`);
  if (field === 'locale' || field === 'language') return languageWords(value, t);
  if (field === 'country') return format.country(value);
  if (field === 'mode' && isOneOf<ScheduleMode>(scheduleModes, value)) return t(`schedule.modes.${value}`);
  if (field === 'status') return statusWords(value, t);
  if (field === 'times') return weekTimeText(value, t);
  if (field === 'paused' && isOneOf(['failing', 'gone'] as const, value))
    return t(`notify.pausedFor.${value}`);
  return timeWords(field, value, words);
};

const languageWords = (value: string, t: TFunction): string =>
  isOneOf<Language>(languages, value) ? t(`common.languages.${value}`) : value;

const statusWords = (value: string, t: TFunction): string => {
  if (value === 'enabled') return t('developer.webhook.statuses.enabled');
  return isOneOf(['active', 'disabled', 'pending'] as const, value) ? t(`account.statuses.${value}`) : value;
};

const days = ['paid_on', 'starts_on', 'first_day', 'last_day'];

const timeWords = (field: string, value: string, { format, calendar }: Words): string => {
  if (days.includes(field) && z.iso.date().safeParse(value).success) return calendar.day(value);
  // Local time in the time zone next to it.
  if (field === 'run_at') return value.replace('T', ' ');
  if (field === 'month' && /^\d{4}-\d{2}$/.test(value)) return calendar.longMonth(value);
  if (field === 'expires_at' && z.iso.datetime().safeParse(value).success) return format.dateTime(value);
  return value;
};

/** A template's texts: subject and text of each language's email, and its short message. */
const textsWords = (texts: Values, { t }: Words): string =>
  Object.entries(texts)
    .map(([language, said]) => {
      const { subject, text, sms } = (said ?? {}) as Values;
      const parts = [subject, text, sms].filter((part) => typeof part === 'string');
      return [`${languageWords(language, t)}:`, ...parts].join('\n');
    })
    .join('\n\n');

const quotaWords = ({ kind, messages }: Values, { t, format }: Words): string => {
  if (kind === 'custom') return t('org.quota.count', { messages: format.count(Number(messages)) });
  if (kind === 'inherit') return t('org.quota.inherited');
  return isOneOf(['unlimited', 'none'] as const, kind) ? t(`org.quota.${kind}`) : String(kind);
};

const rightsWords = (rights: Values, { t }: Words): string => {
  const areas = Object.entries(rights).map(([key, granted]) => {
    const area = isOneOf<PermissionKey>(permissionKeys, key) ? t(`account.permissions.keys.${key}`) : key;
    const named = (Array.isArray(granted) ? (granted as unknown[]) : []).map((one) => rightWords(one, t));
    return `${area}: ${named.length > 0 ? named.join(', ') : t('account.roleMatrix.none')}`;
  });
  return areas.length > 0 ? areas.join(' · ') : t('audit.list');
};

const rightWords = (right: unknown, t: TFunction): string => {
  if (right === 'all') return t('account.roleMatrix.all');
  return isOneOf<Action>(actions, right) && right !== 'all'
    ? t(`account.permissions.actions.${right}`)
    : String(right);
};
