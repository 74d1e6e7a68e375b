import { limits } from '@simcube/contract';
import { type PoolDetail, type PoolMember, poolMemberStates } from '@simcube/contract/pool';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSubmit } from '../../../lib/submit/index.ts';
import { BulkAction } from '../../../ui/bulk-bar/index.ts';
import { noSelection, type Selection } from '../../../ui/data-table/index.ts';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type List, ListPanel, useFilterBuilder, useList } from '../../../ui/list-screen/index.ts';
import { mayEnrol } from '../membership/may-enrol.ts';
import { MembershipDialog } from '../membership/membership-dialog.tsx';
import { type PoolPageSearch, poolPageSearch } from '../search.ts';
import { useMemberColumns } from './member-columns.tsx';
import styles from './members.module.css';
import { longestBar } from './share-bar.tsx';
import { collectSelected, useMembers } from './use-members.ts';

interface MembersProps extends SearchScreenProps<PoolPageSearch> {
  poolId: string;
  pool: PoolDetail | undefined;
}

/** The SIMs of a pool, each with its usage within and above its own share. */
export const MembersPanel = ({ poolId, pool, ...address }: MembersProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const query = useMembers(poolId, address.search);
  const rows = query.data?.data;
  const maxBytes = useMemo(() => longestBar(rows ?? []), [rows]);
  const list = useList({
    name: 'pool-members',
    of: poolPageSearch,
    address,
    query,
    columns: useMemberColumns(maxBytes),
  });
  const [iccidsToRemove, setIccidsToRemove] = useState<string[] | undefined>();
  const { sending: isReading, submit } = useSubmit<{ selection: Selection; iccids: string[] }>({
    onDone: ({ selection, iccids }) => {
      // Something else may have been selected in the meantime.
      if (selection === list.selection) setIccidsToRemove(iccids);
    },
    mayAbandon: true,
  });
  const removeSelected = (): void => {
    const { search, selection } = list;
    void submit(
      async () => ({ selection, iccids: await collectSelected(poolId, search, selection) }),
      // The API client has shown it.
      () => undefined,
    );
  };
  return (
    <ListPanel
      bulk={
        mayEnrol(pool) ? (
          <BulkAction busy={isReading} onClick={removeSelected}>
            {t('pool.membership.exit.open')}
          </BulkAction>
        ) : undefined
      }
      empty={{ title: t('pool.members.empty'), hint: t('pool.members.emptyHint') }}
      filters={useMemberFilters(list)}
      label={t('pool.members.label')}
      list={list}
      noMatch={{ title: t('pool.members.noMatch'), hint: t('pool.members.noMatchHint') }}
      quickSearch={{ placeholder: t('pool.members.search'), maxLength: limits.pools.search }}
      rowHref={({ iccid }) => `/${language}/simCard/${encodeURIComponent(iccid)}`}
      rowKey={({ iccid }) => iccid}
      sums={
        pool && pool.former_members_bytes > 0 ? (
          <FormerMembersUsage bytes={pool.former_members_bytes} />
        ) : null
      }
    >
      {pool && iccidsToRemove ? (
        <MembershipDialog
          iccids={iccidsToRemove}
          action="exit"
          onClose={() => setIccidsToRemove(undefined)}
          onAccepted={() => list.onSelection(noSelection)}
          pool={pool}
        />
      ) : null}
    </ListPanel>
  );
};

/** Usage of former members: together with the rows it adds up to the pool's usage. */
const FormerMembersUsage = ({ bytes }: { bytes: number }) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <p className={styles['formerMembers']}>{t('pool.members.former', { bytes: format.bytes(bytes).text })}</p>
  );
};

const useMemberFilters = (list: List<PoolMember, PoolPageSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  return [
    by.one('state', {
      label: t('pool.fields.state'),
      options: poolMemberStates.map((value) => ({
        value,
        label: t(`pool.members.states.${value}`),
        tone: value === 'stopped' ? 'red' : 'orange',
      })),
    }),
  ];
};
