import { endpoints } from '@simcube/contract';
import type { AddressGroup, SmsGroup } from '@simcube/contract/notify';
import type { QueryClient } from '@tanstack/react-query';
import { type Answer, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { type GroupSearch, groupSearch } from '../search.ts';

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

export const kindOf = ({ kind }: Pick<GroupSearch, 'kind'>): GroupKind => kind ?? 'email';

const { listGroups, listSmsGroups, createGroup, createSmsGroup, updateGroup, updateSmsGroup } =
  endpoints.notify;

const ofPeople = ({ emails, ...group }: AddressGroup): Group => ({ ...group, addresses: emails });
const ofPhones = ({ phones, ...group }: SmsGroup): Group => ({ ...group, addresses: phones });

const answerOf =
  <G>(group: (sent: G) => Group) =>
  (answer: Answer<G[]>): Answer<Group[]> => ({ ...answer, data: answer.data.map(group) });
const people = answerOf(ofPeople);
const phones = answerOf(ofPhones);

/** One page of the groups of a kind. */
export const useGroups = (search: GroupSearch) => {
  const sms = kindOf(search) === 'sms';
  const filter = groupSearch.filterOf(search);
  const ofKind = {
    email: usePageOf(search, (page) => ({
      ...endpointQuery(listGroups, { query: { ...filter, ...page } }),
      select: people,
      enabled: !sms,
    })),
    sms: usePageOf(search, (page) => ({
      ...endpointQuery(listSmsGroups, { query: { ...filter, ...page } }),
      select: phones,
      enabled: sms,
    })),
  };
  return ofKind[kindOf(search)];
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
