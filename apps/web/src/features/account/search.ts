import type { endpoints, Role } from '@simcube/contract';
import type { AccountStatus } from '@simcube/contract/account';
import type { z } from 'zod';

export type AccountSort = NonNullable<z.output<(typeof endpoints.account.list)['query']>['sort']>;

/** What the address says of the list of accounts. */
export interface AccountsSearch {
  search?: string | undefined;
  role?: Role | undefined;
  status?: AccountStatus | undefined;
  sort?: AccountSort | undefined;
  page?: number | undefined;
  size?: number | undefined;
  /** `roles`: what each role may do lies over the list. */
  view?: 'roles' | undefined;
}

export const isFiltered = ({ search, role, status }: AccountsSearch): boolean =>
  search !== undefined || role !== undefined || status !== undefined;
