import { endpoints } from '@simcube/contract';
import type { AddressGroup, ApiTarget, Channel, LastDelivery, SmsGroup } from '@simcube/contract/notify';
import type { QueryClient } from '@tanstack/react-query';
import { type ApiResponse, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { type GroupSearch, groupSearch } from '../search.ts';

/** Each kind of target has its own calls; this type unifies them for the screens. */
export type GroupKind = Channel;

export interface Group {
  id: string;
  version: number;
  name: string;
  /** Email addresses, phone numbers, or the single URL of an API target. */
  addresses: readonly string[];
  created_at: string;
  last_delivery: LastDelivery;
  /** For API targets. */
  api?: Pick<ApiTarget, 'state' | 'paused_for' | 'secret_created_at' | 'former_secret_until'>;
}

export interface GroupDraft {
  name: string;
  addresses: string[];
}

export const kindOf = ({ kind }: Pick<GroupSearch, 'kind'>): GroupKind => kind ?? 'email';

const calls = endpoints.notify;

const fromAddressGroup = ({ emails, ...group }: AddressGroup): Group => ({ ...group, addresses: emails });
const fromSmsGroup = ({ phones, ...group }: SmsGroup): Group => ({ ...group, addresses: phones });
const fromApiTarget = ({ id, version, name, url, created_at, last_delivery, ...api }: ApiTarget): Group => ({
  id,
  version,
  name,
  addresses: [url],
  created_at,
  last_delivery,
  api,
});

const mapGroups =
  <G>(toGroup: (row: G) => Group) =>
  (response: ApiResponse<G[]>): ApiResponse<Group[]> => ({ ...response, data: response.data.map(toGroup) });
const selectEmailGroups = mapGroups(fromAddressGroup);
const selectSmsGroups = mapGroups(fromSmsGroup);
const selectApiTargets = mapGroups(fromApiTarget);

/** One page of the targets of a kind. */
export const useGroups = (search: GroupSearch) => {
  const kind = kindOf(search);
  const filter = groupSearch.filterOf(search);
  const resultByKind = {
    email: usePageQuery(search, (page) => ({
      ...endpointQuery(calls.listGroups, { query: { ...filter, ...page } }),
      select: selectEmailGroups,
      enabled: kind === 'email',
    })),
    sms: usePageQuery(search, (page) => ({
      ...endpointQuery(calls.listSmsGroups, { query: { ...filter, ...page } }),
      select: selectSmsGroups,
      enabled: kind === 'sms',
    })),
    api: usePageQuery(search, (page) => ({
      ...endpointQuery(calls.listApiTargets, { query: { ...filter, ...page } }),
      select: selectApiTargets,
      enabled: kind === 'api',
    })),
  };
  return resultByKind[kind];
};

/** One target of a kind, in the form of a list's response. */
export const useGroup = (kind: GroupKind, id: string | undefined) => {
  const query = { groupId: id };
  const isEnabled = (other: GroupKind): boolean => kind === other && id !== undefined;
  const resultByKind = {
    email: useApiQuery({
      ...endpointQuery(calls.listGroups, { query }),
      select: selectEmailGroups,
      enabled: isEnabled('email'),
    }),
    sms: useApiQuery({
      ...endpointQuery(calls.listSmsGroups, { query }),
      select: selectSmsGroups,
      enabled: isEnabled('sms'),
    }),
    api: useApiQuery({
      ...endpointQuery(calls.listApiTargets, { query }),
      select: selectApiTargets,
      enabled: isEnabled('api'),
    }),
  };
  return resultByKind[kind];
};

const quiet = { announce: false };

export interface SavedGroup {
  name: string;
  /** Set if a new API target was created. */
  secret?: string;
}

/** Creates a target, or changes the edited one. */
export const saveGroup = async (
  kind: GroupKind,
  { name, addresses }: GroupDraft,
  edited: Pick<Group, 'id' | 'version'> | undefined,
): Promise<SavedGroup> => {
  const existing = edited && { groupId: edited.id, version: edited.version };
  switch (kind) {
    case 'api': {
      const body = { name, url: addresses[0] ?? '' };
      if (existing)
        return (await call(calls.updateApiTarget, { body: { ...body, ...existing }, ...quiet })).data;
      const { data } = await call(calls.createApiTarget, { body, ...quiet });
      return { name: data.target.name, secret: data.secret };
    }
    case 'sms': {
      const body = { name, phones: addresses };
      const saved = await (existing
        ? call(calls.updateSmsGroup, { body: { ...body, ...existing }, ...quiet })
        : call(calls.createSmsGroup, { body, ...quiet }));
      return { name: saved.data.name };
    }
    case 'email': {
      const body = { name, emails: addresses };
      const saved = await (existing
        ? call(calls.updateGroup, { body: { ...body, ...existing }, ...quiet })
        : call(calls.createGroup, { body, ...quiet }));
      return { name: saved.data.name };
    }
  }
};

/** Refetches everything on screen about targets. */
export const refetchGroups = (queries: QueryClient): void => {
  for (const { id } of [calls.listGroups, calls.listSmsGroups, calls.listApiTargets, calls.listDeliveries])
    void queries.invalidateQueries({ queryKey: [id] });
};
