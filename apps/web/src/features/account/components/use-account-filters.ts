import { roles } from '@simcube/contract';
import { accountStatuses, accountStatusSchema } from '@simcube/contract/account';
import { roleSchema } from '@simcube/contract/identity';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { statusTones } from '../account-words.ts';
import type { AccountsSearch } from '../search.ts';

interface AccountFilters {
  search: AccountsSearch;
  onFilter: (filter: Partial<AccountsSearch>) => void;
}

/** The filters of the list of accounts; the server takes one role and one status at a time. */
export const useAccountFilters = ({ search, onFilter }: AccountFilters): Filter[] => {
  const { t } = useTranslation();
  return [
    {
      kind: 'choice',
      single: true,
      id: 'role',
      label: t('account.fields.role'),
      options: roles.map((value) => ({ value, label: t(`common.roles.${value}`) })),
      value: search.role ? [search.role] : undefined,
      onChange: (value) => onFilter({ role: roleSchema.safeParse(value?.[0]).data }),
    },
    {
      kind: 'choice',
      single: true,
      id: 'status',
      label: t('account.fields.status'),
      options: accountStatuses.map((value) => ({
        value,
        label: t(`account.statuses.${value}`),
        tone: statusTones[value],
      })),
      value: search.status ? [search.status] : undefined,
      onChange: (value) => onFilter({ status: accountStatusSchema.safeParse(value?.[0]).data }),
    },
  ];
};
