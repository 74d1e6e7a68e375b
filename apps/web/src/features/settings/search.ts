import { endpoints } from '@simcube/contract';
import { accountStatusSchema } from '@simcube/contract/account';
import { auditActionSchema } from '@simcube/contract/audit';
import { roleSchema } from '@simcube/contract/identity';
import { z } from 'zod';
import { dayParam, pageParams, textParam, wholeNumber } from '../../lib/search-params/fields.ts';
import { listParam } from '../../lib/search-params/index.ts';

export const settingsTabs = [
  'profile',
  'accounts',
  'organisation',
  'security',
  'groups',
  'audit',
  'preferences',
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/**
 * Search parameters of the settings, of all tabs: each tab has its own meaning of search and page, so another tab
 * starts without them. Whatever does not fit is left out: an old or mistyped link still opens.
 */
export const settingsSearchSchema = z.object({
  tab: z.enum(settingsTabs).optional().catch(undefined),
  search: textParam(100),
  ...pageParams,
  /** Accounts. */
  role: roleSchema.optional().catch(undefined),
  status: accountStatusSchema.optional().catch(undefined),
  sort: endpoints.account.list.query.shape.sort.catch(undefined),
  view: z.enum(['roles']).optional().catch(undefined),
  /** Organisation and security: another one than the current. */
  organisation: z.string().trim().min(1).max(40).optional().catch(undefined),
  /** Notification groups. */
  kind: z.enum(['sms']).optional().catch(undefined),
  group: z
    .string()
    .regex(/^(new|\d{1,18})$/)
    .optional()
    .catch(undefined),
  /** Audit trail. */
  action: listParam(auditActionSchema).catch(undefined),
  actor: z.string().max(64).optional().catch(undefined),
  from: dayParam,
  to: dayParam,
  entry: wholeNumber.min(1).optional().catch(undefined),
});
export type SettingsSearch = z.output<typeof settingsSearchSchema>;
