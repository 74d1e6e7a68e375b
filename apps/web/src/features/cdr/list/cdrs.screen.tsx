import { endpoints, limits } from '@simcube/contract';
import type { Cdr } from '@simcube/contract/cdr';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useOrder } from '../../../lib/orders/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { BulkAction } from '../../../ui/bulk-bar/index.ts';
import { noSelection } from '../../../ui/data-table/index.ts';
import { type List, ListScreen, useList } from '../../../ui/list-screen/index.ts';
import { AsOf } from '../../../ui/time/index.ts';
import { withPeriod } from '../addresses.ts';
import { CdrViews } from '../cdr-views.tsx';
import { isWithinDay, lastPeriods, listIsMissing, maxSessionLength } from '../filter.ts';
import { type CdrSearch, cdrSearch } from '../search.ts';
import { useCdrFilters } from '../use-cdr-filters.ts';
import { fileColumns, useCdrColumns } from './cdr-columns.tsx';
import { CdrDetailPanel } from './cdr-detail.tsx';
import { CdrSumsStrip } from './cdr-sums.tsx';
import { ExportCdrs } from './export-cdrs.tsx';
import { LinkedRecord } from './linked-record.tsx';
import { paramsOfText, textOfParams } from './quick-search.ts';
import { ownPartner, useCdrs } from './use-cdrs.ts';

/** The usage records of the organisation, and their sums. */
export const CdrsScreen = (address: SearchScreenProps<CdrSearch>) => {
  const { t } = useTranslation();
  const { rows, sums, filter, isPast } = useCdrs(address.search);
  const list = useList({
    name: 'cdrs',
    of: cdrSearch,
    address,
    query: rows,
    columns: useCdrColumns({ withDays: !isWithinDay(filter) }),
    exact: sums.isPlaceholderData ? undefined : sums.data?.data.total.records,
  });
  const columns = list.layout.visible.flatMap(({ id }) => fileColumns[id] ?? []);
  const total = sums.data?.data;
  const { record } = list.search;
  const isMissing = listIsMissing(list.search);
  const sessionHref = (session: string) => list.hrefWith({ session, record: undefined, page: undefined });
  return (
    <ListScreen
      actions={
        <>
          <CdrViews filter={withPeriod(cdrSearch.filterOf(list.search), lastPeriods[0])} here="cdrCard" />
          <ExportCdrs columns={columns} disabled={isMissing} filter={filter} total={total?.total} />
        </>
      }
      bulk={<ExportSelected list={list} />}
      sums={isMissing || (rows.error && sums.error) ? null : <CdrSumsStrip query={sums} filter={filter} />}
      empty={{ title: t('cdr.empty'), hint: t('cdr.emptyHint') }}
      facts={<Facts asOf={list.asOf} sums={total} />}
      filters={useCdrFilters(list, isPast ? { since: filter.from, until: filter.to } : undefined)}
      label={t('cdr.label')}
      list={list}
      quickSearch={{
        placeholder: t('cdr.search'),
        maxLength: maxSessionLength,
        value: textOfParams(list.search),
        paramsOf: paramsOfText,
        problem: t('cdr.searchProblem'),
      }}
      noMatch={
        isMissing
          ? { title: t('simList.list.missing'), hint: t('cdr.filters.missingHint') }
          : { title: t('cdr.noMatch'), hint: t('cdr.noMatchHint') }
      }
      expanded={{
        key: record,
        render: (row) => <CdrDetailPanel record={row} sessionHref={sessionHref} />,
      }}
      rowHref={({ id }) => list.hrefWith({ record: id === record ? undefined : id })}
      rowKey={({ id }) => id}
      title={t('cdr.title')}
    >
      <LinkedRecord onClose={list.close} record={record} rows={list.rows} sessionHref={sessionHref} />
    </ListScreen>
  );
};

interface FactsProps {
  asOf: string | null;
  sums:
    | { total: { records: number }; provisional: { records: number }; provisional_from: string }
    | undefined;
}

/** The number of records, the time of the data, and the period in which records may still arrive. */
const Facts = ({ asOf, sums }: FactsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!sums) return null;
  const { records } = sums.total;
  return (
    <span aria-live="polite">
      {t('cdr.records', { count: records, shown: format.count(records) })} · <AsOf at={asOf} />
      {sums.provisional.records > 0
        ? ` · ${t('cdr.provisionalFrom', { time: format.dateTime(sums.provisional_from) })}`
        : null}
    </span>
  );
};

/** Exports the selected records; all matching ones are exported by the page's own button. */
const ExportSelected = ({ list }: { list: List<Cdr, CdrSearch> }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { selection, onSelection } = list;
  const { sending, refusal, submit } = useOrder({ onClose: () => onSelection(noSelection) });
  if (selection.kind === 'all') return t('cdr.export.allByButton');
  const selected = [...selection.keys];
  if (selected.length > limits.cdrs.selected)
    return t('cdr.export.tooManyChosen', { max: format.count(limits.cdrs.selected) });
  return (
    <>
      {(['csv', 'xlsx'] as const).map((file) => (
        <BulkAction
          disabled={sending}
          key={file}
          onClick={() =>
            submit(async () => {
              const { data } = await call(endpoints.cdr.exportSelected, {
                params: { ...ownPartner(), format: file },
                body: { records: selected },
                announce: false,
              });
              return data;
            })
          }
        >
          {t('cdr.export.as', { format: file.toUpperCase() })}
        </BulkAction>
      ))}
      {refusal ? <span role="alert">{refusal}</span> : null}
    </>
  );
};
