import { endpoints, isAdmin, limits } from '@simcube/contract';
import type { Organisation } from '@simcube/contract/org';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useSession } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { type ActionItem, ActionMenu } from '../../../ui/action-menu/index.ts';
import { DataTable, TableTools, useTableLayout } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { readOrganisationsAgain } from '../api.ts';
import { DeleteOrganisationDialog } from '../components/delete-dialog.tsx';
import { useOrganisationColumns } from '../components/organisation-columns.tsx';
import { isAdminHere, isBelowCurrent, settingsHref } from '../org-words.ts';
import styles from './organisations.module.css';

const none: readonly Organisation[] = [];

/** The organisations a person belongs to; also where everybody lands who has no current one. */
export const OrganisationsScreen = () => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const current = useSession('partnerCode');
  const [search, setSearch] = useState('');
  const [page, setPage] = useState<{ number: number; size: number }>({
    number: 1,
    size: limits.page.default,
  });
  const [deleted, setDeleted] = useState<Organisation>();
  const query = {
    page_no: page.number,
    page_size: page.size,
    ...(search === '' ? {} : { search }),
  };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(endpoints.org.listMine, { query }),
    placeholderData: keepPreviousData,
  });
  const rows = data?.data ?? none;
  const layout = useTableLayout('organisations', useOrganisationColumns(rows));
  const menuOf = useOrganisationMenu({ known: rows, onDelete: setDeleted });
  return (
    <Page
      actions={
        isAdminHere() ? (
          <Button onClick={() => router.history.push(`/${language}/orgscreate`)} type="primary">
            {t('org.new')}
          </Button>
        ) : null
      }
      facts={data ? t('shell.organisations.count', { count: data.totalCount ?? data.data.length }) : null}
      fill
      title={t('shell.organisations.title')}
    >
      {current === null && rows.length > 0 ? (
        <p className={styles['choose']}>{t('shell.organisations.choose')}</p>
      ) : null}
      <FilterBar
        filters={[]}
        onClear={() => setSearch('')}
        search={{
          value: search,
          placeholder: t('shell.organisations.search'),
          maxLength: limits.organisationName.max,
          onChange: (text) => {
            setSearch(text);
            setPage({ ...page, number: 1 });
          },
        }}
        tools={<TableTools layout={layout} />}
      />
      <DataTable
        empty={
          search === '' ? (
            <Empty hint={t('shell.organisations.emptyText')} title={t('shell.organisations.emptyTitle')} />
          ) : (
            <Empty
              hint={t('shell.organisations.noMatchText')}
              title={t('shell.organisations.noMatchTitle')}
            />
          )
        }
        error={error}
        label={t('shell.organisations.title')}
        layout={layout}
        onPage={setPage}
        onRetry={() => void refetch()}
        page={{ ...page, total: data?.totalCount ?? 0, relation: data?.totalRelation ?? 'eq' }}
        rowActions={(organisation) => {
          const items = menuOf(organisation);
          return items.length === 0 ? null : (
            <ActionMenu items={items} label={t('org.rowMenu', { name: organisation.name })} />
          );
        }}
        rowKey={({ id }) => id}
        rows={data?.data}
        stale={isPlaceholderData}
      />
      <DeleteOrganisationDialog onClose={() => setDeleted(undefined)} organisation={deleted} />
    </Page>
  );
};

interface MenuProps {
  known: readonly Organisation[];
  onDelete: (organisation: Organisation) => void;
}

const useOrganisationMenu = ({ known, onDelete }: MenuProps): ((of: Organisation) => ActionItem[]) => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const queries = useQueryClient();
  const current = useSession('partnerCode');
  const makeDefault = async ({ id, name }: Organisation): Promise<void> => {
    try {
      await call(endpoints.org.chooseDefault, { params: { orgId: id }, body: { default: true } });
      toast.success(t('org.defaultChosen', { name }));
    } catch (error) {
      // The API client has already shown why.
      if (!(error instanceof ApiFailure)) throw error;
    }
    readOrganisationsAgain(queries);
  };
  return (organisation) => {
    const { code, default: isDefault, role } = organisation;
    const below = isAdminHere() && isBelowCurrent(organisation, known);
    // Settings are shown in the name of a current organisation, which says who one is.
    const open = current !== null && (code === current || below || isAdmin(role)) && isAdminHere();
    return [
      ...(isDefault
        ? []
        : [
            {
              key: 'default',
              label: t('org.actions.makeDefault'),
              onClick: () => void makeDefault(organisation),
            },
          ]),
      ...(open
        ? [
            {
              key: 'settings',
              label: t('org.actions.settings'),
              onClick: () => router.history.push(settingsHref(language, code === current ? undefined : code)),
            },
          ]
        : []),
      ...(below
        ? [
            {
              key: 'delete',
              label: t('org.actions.delete'),
              danger: true,
              apart: true,
              onClick: () => onDelete(organisation),
            },
          ]
        : []),
    ];
  };
};
