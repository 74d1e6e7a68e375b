import { z } from 'zod';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { type AccountSearch, accountSearch } from '../account/search.ts';
import { type AuditSearch, auditSearch } from '../audit/search.ts';
import { type GroupSearch, groupSearch } from '../notify/search.ts';

export const settingsTabs = [
  'profile',
  'accounts',
  'organisation',
  'security',
  'groups',
  'sms',
  'audit',
  'preferences',
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** Search parameters of the list of SMS services. */
export const serviceSearch = listSearch({
  filters: {},
  overlays: {
    /** The organisation whose service is open. */
    service: z.string().min(1).max(40),
  },
});
export type ServiceSearch = SearchOf<typeof serviceSearch>;

const tabSchema = z.object({
  tab: z.enum(settingsTabs).optional().catch(undefined),
  /** For the tabs organisation and security: an organisation other than the current one. */
  organisation: z.string().trim().min(1).max(40).optional().catch(undefined),
});

export type SettingsSearch = z.output<typeof tabSchema> &
  AccountSearch &
  GroupSearch &
  ServiceSearch &
  AuditSearch;

const listParsers: Partial<Record<SettingsTab, (search: unknown) => object>> = {
  accounts: accountSearch.parse,
  groups: groupSearch.parse,
  sms: serviceSearch.parse,
  audit: auditSearch.parse,
};

/** Search parameters of the settings: each tab with a list reads only its own. */
export const parseSettingsSearch = (search: unknown): SettingsSearch => {
  const params = tabSchema.parse(search);
  return { ...params, ...(params.tab && listParsers[params.tab]?.(search)) };
};
