import type { CdrSums } from '@simcube/contract/cdr';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartSkeleton } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { FilterBar } from '../../../ui/filter-bar/index.ts';
import { wantsNewTab } from '../../../ui/link/index.ts';
import { useSearchHistory } from '../../../ui/list-screen/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { AsOf, useCalendar } from '../../../ui/time/index.ts';
import { cdrHref, withPeriod } from '../addresses.ts';
import { CdrViews } from '../cdr-views.tsx';
import { type CdrFilterParams, listIsMissing, periodNames, withFilter } from '../filter.ts';
import { ExportCdrs } from '../list/export-cdrs.tsx';
import { useCdrFilters } from '../use-cdr-filters.ts';
import { ByTimeCard } from './by-time-card.tsx';
import styles from './cdr-charts.module.css';
import { ChartFigures } from './chart-figures.tsx';
import { type CdrChartsSearch, cdrChartsSearch, type Measure, measures } from './charts-search.ts';
import { RadioByDay, radioColour, radioOf } from './radio-by-day.tsx';
import { RankCard } from './rank-card.tsx';
import { useCdrCharts } from './use-cdr-charts.ts';

/** Sums of usage records by time, country, operator and radio type; each bar links to its records. */
export const CdrChartsScreen = ({
  search: urlSearch,
  onSearchChange,
}: SearchScreenProps<CdrChartsSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const search = withPeriod(urlSearch, '31d');
  const { sums, filter, by } = useCdrCharts(search);
  const { onEdit, applySearch } = useSearchHistory({
    search: urlSearch,
    of: cdrChartsSearch,
    onSearchChange,
  });
  const filterParams: CdrFilterParams = cdrChartsSearch.filterOf(search);
  const rowsHref = (extraFilter: CdrFilterParams = {}) =>
    cdrHref(language, 'cdrCard', withFilter(filterParams, extraFilter));
  const measure = search.measure ?? measures[0];
  const isMissing = listIsMissing(search);
  const response = isMissing ? undefined : sums.data;
  return (
    <Page
      actions={
        <>
          <CdrViews filter={filterParams} here="chartView" />
          <ShowRows href={rowsHref()} records={response?.data.total.records} />
          <ExportCdrs disabled={isMissing} filter={filter} total={response?.data.total} />
        </>
      }
      facts={response ? <Facts asOf={response.asOf} by={by} sums={response.data} /> : null}
      title={t('cdr.charts.title')}
    >
      <FilterBar
        filters={useCdrFilters({
          of: cdrChartsSearch,
          search,
          onFilter: (change) => applySearch(cdrChartsSearch.withFilter(urlSearch, change)),
        })}
        onClear={() => applySearch(cdrChartsSearch.withoutFilters(urlSearch))}
        onEdit={onEdit}
        search={undefined}
        tools={
          <Segmented
            label={t('cdr.charts.measure')}
            onChange={(chosen) => onSearchChange({ ...urlSearch, measure: chosen }, 'replace')}
            options={measures.map((value) => ({ value, label: t(`cdr.sums.${value}`) }))}
            value={measure}
          />
        }
      />
      {sums.error && !response ? <Failure error={sums.error} onRetry={() => void sums.refetch()} /> : null}
      {response || sums.error || isMissing ? null : <ChartsLoading />}
      {isMissing ? (
        <Card>
          <Empty hint={t('cdr.filters.missingHint')} title={t('simList.list.missing')} />
        </Card>
      ) : null}
      {response?.data.total.records === 0 ? <NothingFound filter={filterParams} /> : null}
      {response && response.data.total.records > 0 ? (
        <div className={styles['charts']} aria-busy={sums.isPlaceholderData}>
          <Charts
            asOf={response.asOf}
            chosen={search}
            measure={measure}
            rowsHref={rowsHref}
            sums={response.data}
          />
        </div>
      ) : null}
    </Page>
  );
};

interface ChartsProps {
  sums: CdrSums;
  asOf: string | null;
  measure: Measure;
  chosen: Pick<CdrFilterParams, 'since' | 'until'>;
  rowsHref: (extraFilter?: CdrFilterParams) => string;
}

const Charts = ({ sums, asOf, measure, chosen, rowsHref }: ChartsProps) => (
  <>
    <ChartFigures sums={sums} />
    <ByTimeCard asOf={asOf} chosen={chosen} measure={measure} rowsHref={rowsHref} sums={sums} />
    <div className={styles['ranks']}>
      <RankCard by="country" hrefOf={(key) => rowsHref({ country: [key] })} measure={measure} sums={sums} />
      <RankCard by="operator" hrefOf={(key) => rowsHref({ operator: [key] })} measure={measure} sums={sums} />
      <RankCard
        by="radio"
        chart={<RadioByDay chosen={chosen} measure={measure} rowsHref={rowsHref} sums={sums} />}
        colourOf={radioColour}
        hrefOf={(key) => rowsHref({ radio: radioOf(key) })}
        measure={measure}
        sums={sums}
      />
    </div>
  </>
);

const ShowRows = ({ href, records }: { href: string; records: number | undefined }) => {
  const router = useRouter();
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Button
      href={href}
      onClick={(event) => {
        if (wantsNewTab(event)) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {records === undefined
        ? t('cdr.charts.showAll')
        : t('cdr.charts.show', { count: records, shown: format.count(records) })}
    </Button>
  );
};

/** The period, and the time of the data. */
const Facts = ({ sums, asOf, by }: { sums: CdrSums; asOf: string | null; by: 'hour' | 'day' }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const days = sums.groups.day;
  const [first, last] = [days?.[0]?.key, days?.at(-1)?.key];
  const span =
    by === 'day' && first !== undefined && last !== undefined
      ? t('cdr.charts.days', { from: calendar.shortDay(first), to: calendar.shortDay(last) })
      : `${format.dateTime(sums.from)} – ${format.dateTime(sums.to)}`;
  return (
    <span>
      {span} · <AsOf at={asOf} />
    </span>
  );
};

const NothingFound = ({ filter }: { filter: CdrFilterParams }) => {
  const { t } = useTranslation();
  const isNarrow = Object.entries(filter).some(
    ([name, value]) => value !== undefined && !periodNames.includes(name),
  );
  const [title, hint]: ReactNode[] = isNarrow
    ? [t('cdr.noMatch'), t('cdr.noMatchHint')]
    : [t('cdr.empty'), t('cdr.emptyHint')];
  return (
    <Card>
      <Empty hint={hint} title={title} />
    </Card>
  );
};

const ChartsLoading = () => {
  const { t } = useTranslation();
  return (
    <div className={styles['charts']}>
      <Card>
        <Loading rows={2} />
      </Card>
      <Card title={t('cdr.sums.byDay')}>
        <ChartSkeleton height={260} />
      </Card>
    </div>
  );
};
