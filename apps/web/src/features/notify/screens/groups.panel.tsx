import { limits } from '@simcube/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { type Group, kindOf, useGroups } from '../api/groups.ts';
import { useGroupColumns } from '../components/group-columns.tsx';
import { GroupDialog } from '../components/group-dialog.tsx';
import { mayChange } from '../may-change.ts';
import { type GroupSearch, groupSearch, newGroup } from '../search.ts';

/** The recipients of the organisation's notifications: people by email, phones by SMS. */
export const GroupsPanel = (address: SearchScreenProps<GroupSearch>) => {
  const { t } = useTranslation();
  const kind = kindOf(address.search);
  const list = useList({
    name: `groups-${kind}`,
    of: groupSearch,
    address,
    answer: useGroups(address.search),
    columns: useGroupColumns(kind),
  });
  const open = list.rows?.find(({ id }) => id === list.search.group);
  const making = list.search.group === newGroup && mayChange();
  const menuOf = ({ id, name }: Group) => (
    <ActionMenu
      items={[{ key: 'edit', label: t('notify.actions.edit'), onClick: () => list.open({ group: id }) }]}
      label={t('notify.rowMenu', { name })}
    />
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
              { ...groupSearch.withoutFilters(list.search), kind: value === 'sms' ? 'sms' : undefined },
              'push',
            )
          }
          options={(['email', 'sms'] as const).map((value) => ({
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
      <GroupDialog group={open} kind={kind} onClose={list.close} open={open !== undefined || making} />
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
