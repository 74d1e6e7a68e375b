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
import type { AuditAction } from '@simcube/contract/audit';
import { type ScheduleMode, scheduleModes } from '@simcube/contract/schedule';
import type { TFunction } from 'i18next';
import type { Format } from '../../lib/format/index.ts';

type Dashed<Name extends string> = Name extends `${infer Subject}.${infer Verb}`
  ? `${Subject}-${Verb}`
  : never;

/** A dot would be a step in a phrase's key. */
export const actionWords = (action: AuditAction, t: TFunction): string =>
  t(`audit.actions.${action.replace('.', '-') as Dashed<AuditAction>}`);

const fieldNames = [
  'first_name',
  'last_name',
  'name',
  'email',
  'locale',
  'language',
  'role',
  'oversight',
  'status',
  'permissions',
  'permission_name',
  'code',
  'country',
  'sms_quota',
  'two_factor_required',
  'session_idle_hours',
  'session_hours',
  'allowed_networks',
  'accounts',
  'seats',
  'sub_organisations',
  'default',
  'ended',
  'parent',
  'organisation',
  'two_factor',
  'invitation',
  'admins',
  'settlement',
  'file',
  'bundle',
  'tariff',
  'sales_order',
  'sims',
  'orders',
  'emails',
  'phones',
  'url',
  'paused',
  'content',
  'mode',
  'run_at',
  'times',
  'first_day',
  'last_day',
  'time_zone',
  'group',
  'only_failures',
  'enabled',
  'sims_added',
  'sims_removed',
  'owner',
  'can_send',
  'can_receive',
  'sender',
  'forward_to',
  'characters',
  'parts',
  'amount_minor',
  'total_minor',
  'credit_limit_minor',
  'currency',
  'terms',
  'paid_on',
  'reference',
  'month',
  'version',
  'reason',
  'held',
  'reports',
  'starts_on',
  'expires_at',
  'orderable',
  'countries',
  'limit_bytes',
  'every_cycle',
  'shared',
  'filter',
  'sort',
  'rule',
  'task',
  'items',
  'refused',
  'cancelled',
  'cells',
  'password_set',
  'trigger',
  'scope',
  'actions',
  'active_from',
  'active_until',
  'group_minutes',
  'texts',
  'event_types',
] as const;

/** Fields in the order in which people name them; the database keeps its own. Unknown ones come last. */
export const inOrder = (fields: Iterable<string>): string[] => {
  const place = (field: string): number => {
    const found = (fieldNames as readonly string[]).indexOf(field);
    return found < 0 ? fieldNames.length : found;
  };
  return [...fields].sort((one, other) => place(one) - place(other));
};

/** A field in words; one without a phrase is shown as it is stored. */
export const fieldWords = (field: string, t: TFunction): string => {
  const known = fieldNames.find((name) => name === field);
  return known ? t(`audit.values.${known}`) : field;
};

interface Words {
  t: TFunction;
  format: Format;
}

const isOneOf = <T extends string>(set: readonly T[], value: unknown): value is T =>
  set.some((one) => one === value);

/** A field's value as people read it. */
export const valueWords = (field: string, value: unknown, words: Words): string => {
  const { t, format } = words;
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') return format.count(value);
  if (typeof value === 'string') return textWords(field, value, words);
  if (Array.isArray(value)) {
    const all = (value as unknown[]).map((one) => valueWords(field, one, words));
    return all.length > 0 ? all.join(', ') : t('audit.list');
  }
  if (field === 'sms_quota') return quotaWords(value as Record<string, unknown>, words);
  if (field === 'permissions') return rightsWords(value as Record<string, unknown>, words);
  return JSON.stringify(value);
};

const textWords = (field: string, value: string, { t, format }: Words): string => {
  if (field === 'role' && isOneOf<Role>(roles, value)) return t(`common.roles.${value}`);
  if ((field === 'locale' || field === 'language') && isOneOf<Language>(languages, value)) {
    return t(`common.languages.${value}`);
  }
  if (field === 'country') return format.country(value);
  if (field === 'mode' && isOneOf<ScheduleMode>(scheduleModes, value)) return t(`schedule.modes.${value}`);
  if (field === 'status' && isOneOf(['active', 'disabled', 'pending'] as const, value)) {
    return t(`account.statuses.${value}`);
  }
  return value;
};

const quotaWords = ({ kind, messages }: Record<string, unknown>, { t, format }: Words): string => {
  if (kind === 'custom') return t('org.quota.count', { messages: format.count(Number(messages)) });
  if (kind === 'inherit') return t('org.quota.inherited');
  return isOneOf(['unlimited', 'none'] as const, kind) ? t(`org.quota.${kind}`) : String(kind);
};

const rightsWords = (rights: Record<string, unknown>, { t }: Words): string => {
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
