import { limits } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { DataTable, TableTools, useTableLayout } from '../../../ui/data-table/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { type Group, kindOf, useGroups } from '../api/groups.ts';
import { useGroupColumns } from '../components/group-columns.tsx';
import { GroupDialog } from '../components/group-dialog.tsx';
import styles from '../components/groups.module.css';
import { mayChange } from '../may-change.ts';
import { type GroupsSearch, newGroup } from '../search.ts';

export interface GroupsPanelProps {
  search: GroupsSearch;
  onSearchChange: OnSearchChange<GroupsSearch>;
  /** Address of the panel with a group open. */
  hrefOf: (search: GroupsSearch) => string;
}

/** Whom the organisation tells things: people by email, phones by SMS. */
export const GroupsPanel = ({ search, onSearchChange, hrefOf }: GroupsPanelProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const kind = kindOf(search);
  const { rows, total, relation, error, isPlaceholderData, refetch } = useGroups(search);
  const hrefOfGroup = useCallback(({ id }: Group) => hrefOf({ ...search, group: id }), [hrefOf, search]);
  const layout = useTableLayout(`groups-${kind}`, useGroupColumns(kind, hrefOfGroup));
  const open = rows?.find(({ id }) => id === search.group);
  const making = search.group === newGroup && mayChange();
  const find = (text: string | undefined): void =>
    onSearchChange({ ...search, search: text, page: undefined, group: undefined }, 'replace');
  return (
    <div className={styles['panel']}>
      <FilterBar
        filters={[]}
        more={
          <Segmented
            label={t('notify.kind')}
            onChange={(value) =>
              onSearchChange({ kind: value === 'sms' ? 'sms' : undefined, size: search.size }, 'push')
            }
            options={(['email', 'sms'] as const).map((value) => ({
              value,
              label: t(`notify.kinds.${value}`),
            }))}
            value={kind}
          />
        }
        onClear={() => find(undefined)}
        search={{
          value: search.search ?? '',
          placeholder: t(`notify.search.${kind}`),
          maxLength: limits.addressGroups.search,
          onChange: (text) => find(text === '' ? undefined : text),
        }}
        tools={<TableTools layout={layout} />}
      />
      <DataTable
        empty={
          search.search === undefined ? (
            <Empty hint={t(`notify.emptyHint.${kind}`)} title={t(`notify.empty.${kind}`)} />
          ) : (
            <Empty
              action={<Button onClick={() => find(undefined)}>{t('notify.clearSearch')}</Button>}
              hint={t('notify.noMatchHint')}
              title={t('notify.noMatch')}
            />
          )
        }
        error={error}
        label={t(`notify.label.${kind}`)}
        layout={layout}
        onPage={({ number, size }) =>
          onSearchChange({ ...search, page: number, size, group: undefined }, 'push')
        }
        onRetry={() => void refetch()}
        page={{ number: search.page ?? 1, size: search.size ?? limits.page.default, total, relation }}
        {...(mayChange()
          ? {
              rowActions: (group: Group) => (
                <ActionMenu
                  items={[
                    {
                      key: 'edit',
                      label: t('notify.actions.edit'),
                      onClick: () => router.history.push(hrefOfGroup(group)),
                    },
                  ]}
                  label={t('notify.rowMenu', { name: group.name })}
                />
              ),
            }
          : {})}
        rowHref={hrefOfGroup}
        rowKey={({ id }) => id}
        rows={rows}
        stale={isPlaceholderData}
      />
      <GroupDialog
        group={open}
        kind={kind}
        onClose={() => onSearchChange({ ...search, group: undefined }, 'replace')}
        open={open !== undefined || making}
      />
    </div>
  );
};

/** The main action of the list. */
export const NewGroupButton = ({ search, onSearchChange }: Omit<GroupsPanelProps, 'hrefOf'>) => {
  const { t } = useTranslation();
  if (!mayChange()) return null;
  return (
    <Button onClick={() => onSearchChange({ ...search, group: newGroup }, 'push')} type="primary">
      {t(`notify.new.${kindOf(search)}`)}
    </Button>
  );
};
