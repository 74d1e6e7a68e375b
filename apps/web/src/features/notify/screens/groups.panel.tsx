import { limits } from '@simcube/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { keyNotOnPage, ListPanel, useLinkedRow, useList } from '../../../ui/list-screen/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { type Group, type GroupKind, kindOf, useGroup, useGroups } from '../api/groups.ts';
import { useGroupColumns } from '../components/group-columns.tsx';
import { GroupDialog } from '../components/group-dialog.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { TargetDrawer } from '../components/target-drawer.tsx';
import { mayChange } from '../may-change.ts';
import { type GroupSearch, groupSearch, newGroup } from '../search.ts';
import { useTargetActions } from '../use-target-actions.ts';

const kinds = ['email', 'sms', 'api'] as const satisfies readonly GroupKind[];
const idOf = ({ id }: Group): string => id;
const kindParam = (kind: GroupKind) => (kind === 'email' ? undefined : kind);

/** The targets of the organisation's notifications: people by email, phones by SMS, programs by HTTP requests. */
export const GroupsPanel = (address: SearchScreenProps<GroupSearch>) => {
  const { t } = useTranslation();
  const kind = kindOf(address.search);
  const list = useList({
    name: `groups-${kind}`,
    of: groupSearch,
    address,
    query: useGroups(address.search),
    columns: useGroupColumns(kind),
  });
  const [secret, setSecret] = useState<string>();
  const { group, deliveries } = list.search;
  const named = {
    rows: list.rows,
    linkedKey: group === newGroup ? undefined : (group ?? deliveries),
    keyOf: idOf,
  };
  const { row, fallback } = useLinkedRow(named, useGroup(kind, keyNotOnPage(named)));
  const isCreating = group === newGroup && mayChange();
  const isDialogOpen = group !== undefined;
  const { itemsOf, test, resume } = useTargetActions({
    opened: [kind, group, deliveries].join(' '),
    onEdit: ({ id }) => list.open({ group: id }),
    onDeliveries: ({ id }) => list.open({ deliveries: id }),
    onSecret: setSecret,
  });
  const menuOf = (one: Group) => (
    <ActionMenu items={() => itemsOf(one)} label={t('notify.rowMenu', { name: one.name })} />
  );
  return (
    <ListPanel
      empty={{ title: t(`notify.empty.${kind}`), hint: t(`notify.emptyHint.${kind}`) }}
      label={t(`notify.label.${kind}`)}
      list={list}
      more={
        <Segmented
          label={t('notify.kind')}
          onChange={(value) =>
            address.onSearchChange(
              { ...groupSearch.withoutFilters(list.search), kind: kindParam(value) },
              'push',
            )
          }
          options={kinds.map((value) => ({
            value,
            label: t(`notify.kinds.${value}`),
          }))}
          value={kind}
        />
      }
      noMatch={{ title: t('notify.noMatch'), hint: t('notify.noMatchHint') }}
      quickSearch={{ placeholder: t(`notify.search.${kind}`), maxLength: limits.addressGroups.search }}
      rowHref={({ id }) => list.hrefWith({ group: id })}
      rowKey={({ id }) => id}
      {...(mayChange() ? { rowActions: menuOf } : {})}
    >
      <GroupDialog
        group={isDialogOpen ? row : undefined}
        fallback={isDialogOpen ? fallback : null}
        kind={kind}
        isCreating={isCreating}
        onClose={list.close}
        onSecret={setSecret}
      />
      <TargetDrawer
        group={isDialogOpen ? undefined : row}
        fallback={isDialogOpen ? null : fallback}
        kind={kind}
        onClose={list.close}
        onResume={resume}
        onTest={test}
      />
      <SecretDialog onClose={() => setSecret(undefined)} secret={secret} />
    </ListPanel>
  );
};

/** The main action of the list. */
export const NewGroupButton = ({
  search,
  onSearchChange,
}: Pick<SearchScreenProps<GroupSearch>, 'search' | 'onSearchChange'>) => {
  const { t } = useTranslation();
  if (!mayChange()) return null;
  return (
    <Button onClick={() => onSearchChange({ ...search, group: newGroup }, 'push')} type="primary">
      {t(`notify.new.${kindOf(search)}`)}
    </Button>
  );
};
