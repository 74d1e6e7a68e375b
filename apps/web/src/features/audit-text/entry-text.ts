import type { AuditAction, AuditEntry } from '@simcube/contract/audit';
import type { TFunction } from 'i18next';

type Dashed<Name extends string> = Name extends `${infer Subject}.${infer Verb}`
  ? `${Subject}-${Verb}`
  : never;

/** Replaces the dot, which would separate levels of a phrase's key. */
const dashed = <A extends AuditAction>(action: A) => action.replace('.', '-') as Dashed<A>;

/** The name of an action. */
export const actionText = (action: AuditAction, t: TFunction): string => t(`audit.actions.${dashed(action)}`);

/** Actions that do one of two opposite things, with the field that records which one. */
const switches = {
  'account.status-changed': 'status',
  'account.oversight-changed': 'oversight',
  'webhook.switched': 'status',
  'schedule.switched': 'enabled',
  'autoflow.switched': 'enabled',
} as const satisfies Partial<Record<AuditAction, string>>;

const isSwitch = (action: AuditAction): action is keyof typeof switches => action in switches;

const directions = new Map<unknown, 'on' | 'off'>([
  [true, 'on'],
  ['enabled', 'on'],
  ['active', 'on'],
  [false, 'off'],
  ['disabled', 'off'],
]);

/** What an entry did: of an action that does one of two things, the one that happened. */
export const entryText = ({ action, after }: Pick<AuditEntry, 'action' | 'after'>, t: TFunction): string => {
  const direction = isSwitch(action) ? directions.get(after?.[switches[action]]) : undefined;
  return isSwitch(action) && direction
    ? t(`audit.switched.${dashed(action)}.${direction}`)
    : actionText(action, t);
};
