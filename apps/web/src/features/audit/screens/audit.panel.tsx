import type { AuditEntry } from '@simcube/contract/audit';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { keyNotOnPage, ListPanel, useLinkedRow, useList } from '../../../ui/list-screen/index.ts';
import { useAuditColumns } from '../components/audit-columns.tsx';
import { EntryDrawer } from '../components/entry-drawer.tsx';
import { useAuditFilters } from '../components/use-audit-filters.ts';
import { type AuditSearch, auditSearch } from '../search.ts';
import { useAuditEntries, useEntry } from '../use-audit.ts';

const keyOf = ({ number }: AuditEntry): string => String(number);

/** Every change in the organisation: person, action, object, origin, values before and after. */
export const AuditPanel = (address: SearchScreenProps<AuditSearch>) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'audit',
    of: auditSearch,
    address,
    query: useAuditEntries(address.search),
    columns: useAuditColumns(),
  });
  const link = { rows: list.rows, linkedKey: list.search.entry?.toString(), keyOf };
  const { row: entry, fallback } = useLinkedRow(link, useEntry(keyNotOnPage(link)));
  return (
    <ListPanel
      empty={{ title: t('audit.empty'), hint: t('audit.emptyHint') }}
      filters={useAuditFilters(list)}
      label={t('audit.title')}
      list={list}
      noMatch={{ title: t('audit.noMatch'), hint: t('audit.noMatchHint') }}
      quickSearch={{ placeholder: t('audit.search'), maxLength: 100 }}
      rowHref={({ number }) => list.hrefWith({ entry: number })}
      rowKey={keyOf}
    >
      <EntryDrawer entry={entry} fallback={fallback} onClose={list.close} />
    </ListPanel>
  );
};
