import { endpoints, limits } from '@simcube/contract';
import type { AddressGroup, SmsGroup } from '@simcube/contract/notify';
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import type { GroupsSearch } from '../search.ts';

/** The specification has two kinds of groups with calls of their own; screens look at both in one way. */
export type GroupKind = 'email' | 'sms';

export interface Group {
  id: string;
  name: string;
  /** Email addresses or phone numbers. */
  addresses: readonly string[];
  created_at: string;
}

export interface GroupDraft {
  name: string;
  addresses: string[];
}

export const kindOf = ({ kind }: Pick<GroupsSearch, 'kind'>): GroupKind => kind ?? 'email';

const { listGroups, listSmsGroups, createGroup, createSmsGroup, updateGroup, updateSmsGroup } =
  endpoints.notify;

const ofPeople = ({ emails, ...group }: AddressGroup): Group => ({ ...group, addresses: emails });
const ofPhones = ({ phones, ...group }: SmsGroup): Group => ({ ...group, addresses: phones });

/** One page of the groups of a kind; the page before stays on screen while the next is on its way. */
export const useGroups = (search: GroupsSearch) => {
  const query = {
    search: search.search,
    page_no: search.page ?? 1,
    page_size: search.size ?? limits.page.default,
  };
  const sms = kindOf(search) === 'sms';
  const people = useQuery({
    ...endpointQuery(listGroups, { query }),
    placeholderData: keepPreviousData,
    enabled: !sms,
  });
  const phones = useQuery({
    ...endpointQuery(listSmsGroups, { query }),
    placeholderData: keepPreviousData,
    enabled: sms,
  });
  const { error, isPlaceholderData, refetch } = sms ? phones : people;
  const rows = sms ? phones.data?.data.map(ofPhones) : people.data?.data.map(ofPeople);
  const answer = sms ? phones.data : people.data;
  return {
    rows,
    total: answer?.totalCount ?? 0,
    relation: answer?.totalRelation ?? ('eq' as const),
    error,
    isPlaceholderData,
    refetch,
  };
};

/** Makes a group, or changes the one with the id. @returns it as it is now */
export const saveGroup = async (
  kind: GroupKind,
  { id, name, addresses }: GroupDraft & { id: string | undefined },
): Promise<Group> => {
  const quiet = { announce: false };
  if (kind === 'sms') {
    const body = { name, phones: addresses };
    const { data } = await (id === undefined
      ? call(createSmsGroup, { body, ...quiet })
      : call(updateSmsGroup, { body: { ...body, groupId: id }, ...quiet }));
    return ofPhones(data);
  }
  const body = { name, emails: addresses };
  const { data } = await (id === undefined
    ? call(createGroup, { body, ...quiet })
    : call(updateGroup, { body: { ...body, groupId: id }, ...quiet }));
  return ofPeople(data);
};

/** What is on screen about groups is read again. */
export const readGroupsAgain = (queries: QueryClient): void => {
  for (const { id } of [listGroups, listSmsGroups]) void queries.invalidateQueries({ queryKey: [id] });
};
