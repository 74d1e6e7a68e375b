/** What the address says of the list of groups. */
export interface GroupsSearch {
  /** Groups of phones; of email addresses without it. */
  kind?: 'sms' | undefined;
  search?: string | undefined;
  page?: number | undefined;
  size?: number | undefined;
  /** The group that is open; `new` is one that is being made. */
  group?: string | undefined;
}

export const newGroup = 'new';
