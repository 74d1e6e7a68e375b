import { limits } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { DataTable, TableTools, useTableLayout } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { mayManage, mayWrite, nameOf, userHref } from '../account-words.ts';
import { useAccounts, useLiveAccounts } from '../api/use-accounts.ts';
import { useAccountColumns } from '../components/account-columns.tsx';
import { EditAccountDialog } from '../components/edit-account-dialog.tsx';
import { RoleMatrix } from '../components/role-matrix.tsx';
import { useAccountFilters } from '../components/use-account-filters.ts';
import { useAccountMenu } from '../components/use-account-menu.ts';
import { type AccountsSearch, isFiltered } from '../search.ts';
import styles from './accounts.module.css';

export interface AccountsPanelProps {
  search: AccountsSearch;
  onSearchChange: OnSearchChange<AccountsSearch>;
}

/** The accounts of the current organisation, open invitations included. */
export const AccountsPanel = ({ search, onSearchChange }: AccountsPanelProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const layout = useTableLayout('accounts', useAccountColumns());
  const { data: answer, error, isPlaceholderData, refetch } = useAccounts(search);
  const [edited, setEdited] = useState<string | null>(null);
  const menuOf = useAccountMenu();
  useLiveAccounts();
  const rows = answer?.data;
  const onFilter = (filter: Partial<AccountsSearch>): void =>
    onSearchChange({ ...search, ...filter, page: undefined }, 'replace');
  const clear = (): void => onSearchChange({ size: search.size, sort: search.sort }, 'replace');
  const filters = useAccountFilters({ search, onFilter });
  return (
    <div className={styles['panel']}>
      <FilterBar
        filters={filters}
        onClear={clear}
        search={{
          value: search.search ?? '',
          placeholder: t('account.search'),
          maxLength: 100,
          onChange: (text) => onFilter({ search: text === '' ? undefined : text }),
        }}
        tools={
          <>
            <Button onClick={() => onSearchChange({ ...search, view: 'roles' }, 'push')}>
              {t('account.roles')}
            </Button>
            <TableTools layout={layout} />
          </>
        }
      />
      <DataTable
        empty={
          isFiltered(search) ? (
            <Empty
              action={<Button onClick={clear}>{t('account.clearFilters')}</Button>}
              hint={t('account.noMatchHint')}
              title={t('account.noMatch')}
            />
          ) : (
            <Empty hint={t('account.emptyHint')} title={t('account.empty')} />
          )
        }
        error={error}
        label={t('account.title')}
        layout={layout}
        onPage={({ number, size }) => onSearchChange({ ...search, page: number, size }, 'push')}
        onRetry={() => void refetch()}
        onSort={(sort) =>
          onSearchChange({ ...search, sort: sort as AccountsSearch['sort'], page: undefined }, 'replace')
        }
        page={{
          number: search.page ?? 1,
          size: search.size ?? limits.page.default,
          total: answer?.totalCount ?? 0,
          relation: answer?.totalRelation ?? 'eq',
        }}
        rowActions={(account) => (
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
                      refused: mayManage(account) ? undefined : t('account.fixed.account'),
                      onClick: () => setEdited(account.id),
                    },
                  ]
                : []),
              ...menuOf({ account }),
            ]}
            label={t('account.rowMenu', { name: nameOf(account) })}
          />
        )}
        rowHref={({ id }) => userHref(language, id)}
        rowKey={({ id }) => id}
        rows={rows}
        sort={search.sort}
        stale={isPlaceholderData}
      />
      <EditAccountDialog account={rows?.find(({ id }) => id === edited)} onClose={() => setEdited(null)} />
      <RoleMatrix
        onClose={() => onSearchChange({ ...search, view: undefined }, 'replace')}
        open={search.view === 'roles'}
      />
    </div>
  );
};
