import { roles } from '@simcube/contract';
import { type Account, accountStatuses } from '@simcube/contract/account';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type List, useFilterBuilder } from '../../../ui/list-screen/index.ts';
import { statusTones } from '../account-rules.ts';
import type { AccountSearch } from '../search.ts';

/** The filters of the list of accounts; the server accepts one role and one status at a time. */
export const useAccountFilters = (list: List<Account, AccountSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  return [
    by.one('role', {
      label: t('account.fields.role'),
      options: roles.map((value) => ({ value, label: t(`common.roles.${value}`) })),
    }),
    by.one('status', {
      label: t('account.fields.status'),
      options: accountStatuses.map((value) => ({
        value,
        label: t(`account.statuses.${value}`),
        tone: statusTones[value],
      })),
    }),
  ];
};
