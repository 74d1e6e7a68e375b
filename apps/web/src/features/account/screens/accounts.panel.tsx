import type { Account } from '@simcube/contract/account';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { ListPanel, useList, useOpenRow } from '../../../ui/list-screen/index.ts';
import { mayManage, mayWrite, nameOf, userHref } from '../account-rules.ts';
import { useAccounts, useLiveAccounts } from '../api/use-accounts.ts';
import { useAccountColumns } from '../components/account-columns.tsx';
import { EditAccountDialog } from '../components/edit-account-dialog.tsx';
import { RoleMatrix } from '../components/role-matrix.tsx';
import { useAccountFilters } from '../components/use-account-filters.ts';
import { useAccountMenu } from '../components/use-account-menu.ts';
import { type AccountSearch, accountSearch } from '../search.ts';

const idOf = ({ id }: Account): string => id;

/** The accounts of the current organisation, including open invitations. */
export const AccountsPanel = (address: SearchScreenProps<AccountSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [edited, setEdited] = useState<string>();
  const list = useList({
    name: 'accounts',
    of: accountSearch,
    address,
    query: useAccounts(address.search),
    columns: useAccountColumns(),
  });
  useLiveAccounts();
  return (
    <ListPanel
      empty={{ title: t('account.empty'), hint: t('account.emptyHint') }}
      filters={useAccountFilters(list)}
      label={t('account.title')}
      list={list}
      noMatch={{ title: t('account.noMatch'), hint: t('account.noMatchHint') }}
      quickSearch={{ placeholder: t('account.search'), maxLength: 100 }}
      rowActions={(account) => <AccountMenu account={account} onEdit={setEdited} />}
      rowHref={({ id }) => userHref(language, id)}
      rowKey={idOf}
      tools={<Button onClick={() => list.open({ view: 'roles' })}>{t('account.roles')}</Button>}
    >
      <EditAccountDialog account={useOpenRow(list.rows, edited, idOf)} onClose={() => setEdited(undefined)} />
      <RoleMatrix onClose={list.close} open={list.search.view === 'roles'} />
    </ListPanel>
  );
};

const AccountMenu = ({ account, onEdit }: { account: Account; onEdit: (id: string) => void }) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const menuOf = useAccountMenu();
  return (
    <ActionMenu
      items={[
        {
          key: 'open',
          label: t('account.actions.open'),
          onClick: () => router.history.push(userHref(language, account.id)),
        },
        ...(mayWrite() && account.status !== 'pending'
          ? [
              {
                key: 'edit',
                label: t('account.actions.edit'),
                disabledReason: mayManage(account) ? undefined : t('account.fixed.account'),
                onClick: () => onEdit(account.id),
              },
            ]
          : []),
        ...menuOf({ account }),
      ]}
      label={t('account.rowMenu', { name: nameOf(account) })}
    />
  );
};
