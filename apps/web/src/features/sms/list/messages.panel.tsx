import { limits } from '@simcube/contract';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { type SmsSearch, searchOfTab } from '../search.ts';
import { useMessageColumns } from './message-columns.tsx';
import { useMessageFilters } from './use-message-filters.ts';
import { useMessages } from './use-messages.ts';

interface MessagesProps extends SearchScreenProps<SmsSearch> {
  /** Called when the rows on screen change. */
  onRows: (ids: readonly string[]) => void;
}

/** The messages of a tab, newest first. */
export const MessagesPanel = ({ onRows, ...address }: MessagesProps) => {
  const { t } = useTranslation();
  const { tab: chosen } = address.search;
  const tab = chosen === undefined || chosen === 'scheduled' ? 'all' : chosen;
  const list = useList({
    name: 'sms',
    of: searchOfTab[tab],
    address,
    query: useMessages(address.search),
    columns: useMessageColumns(),
  });
  const { rows } = list;
  const reportRows = useEffectEvent(onRows);
  useEffect(() => reportRows(rows?.map(({ id }) => id) ?? []), [rows]);
  return (
    <ListPanel
      current={list.search.message}
      empty={{ title: t(`sms.empty.${tab}`), hint: t(`sms.emptyHint.${tab}`) }}
      filters={useMessageFilters(list)}
      label={t(`sms.labels.${tab}`)}
      list={list}
      noMatch={{ title: t('sms.noMatch'), hint: t('sms.noMatchHint') }}
      quickSearch={{ placeholder: t('sms.search'), maxLength: limits.sms.search }}
      rowHref={({ id }) => list.hrefWith({ message: id })}
      rowKey={({ id }) => id}
    />
  );
};
