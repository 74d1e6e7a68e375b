import type { AuditAction } from '@simcube/contract/audit';
import type { TFunction } from 'i18next';

type Dashed<Name extends string> = Name extends `${infer Subject}.${infer Verb}`
  ? `${Subject}-${Verb}`
  : never;

/** Replaces the dot, which would separate levels of a phrase's key. */
export const actionText = (action: AuditAction, t: TFunction): string =>
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
  'scene',
  'texts',
  'event_types',
] as const;

/** Fields in their usual order, unlike the database's. Unknown ones are last. */
export const inDisplayOrder = (fields: Iterable<string>): string[] => {
  const position = (field: string): number => {
    const index = (fieldNames as readonly string[]).indexOf(field);
    return index < 0 ? fieldNames.length : index;
  };
  return [...fields].sort((one, other) => position(one) - position(other));
};

/** The name of a field; one without a phrase is shown under its stored name. */
export const fieldLabel = (field: string, t: TFunction): string => {
  const known = fieldNames.find((name) => name === field);
  return known ? t(`audit.values.${known}`) : field;
};
