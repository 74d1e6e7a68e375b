import { limits } from '@simcube/contract';
import { type Report, reportKinds } from '@simcube/contract/report';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { businessDays } from '../../lib/time/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Page } from '../../ui/page/index.ts';
import { usePreferences, useReports } from './api.ts';
import { DownloadDialog } from './download-dialog.tsx';
import { MonthCard } from './month-card.tsx';
import { type Month, MonthsCard } from './months-card.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import styles from './reports.module.css';
import type { ReportsSearch } from './search.ts';

/** The monthly reports of the organisation: months, the reports of one, and the preferences. */
export const ReportsScreen = ({ search, onSearchChange, hrefOf }: SearchScreenProps<ReportsSearch>) => {
  const { t } = useTranslation();
  const [isDownloadOpen, setDownloadOpen] = useState(false);
  const { data, error, refetch } = useReports();
  const months = data && monthsOf(data.data);
  const { data: preferences } = usePreferences();
  const nextReports = preferences && preferences.data.kinds.length > 0 ? preferences.data.next : undefined;
  const isLoading = !data && !error;
  const hasMonths = isLoading || nextReports !== undefined || (months ?? []).length > 0;
  const selected = months?.find(({ month }) => month === search.month) ?? months?.[0];
  return (
    <Page
      actions={
        <Button disabled={!selected} onClick={() => setDownloadOpen(true)}>
          {t('reports.several.open')}
        </Button>
      }
      facts={t('reports.facts', { months: limits.reports.months, zone: businessDays.zone() })}
      title={t('report.one')}
    >
      <div className={styles['screen']} data-months={hasMonths}>
        {hasMonths ? (
          <MonthsCard
            nextReports={nextReports}
            hrefOf={(month) => hrefOf({ ...search, month })}
            isLoading={isLoading}
            months={months ?? []}
            selectedMonth={selected?.month}
          />
        ) : null}
        {error && !data ? (
          <Card>
            <Failure error={error} onRetry={() => void refetch()} />
          </Card>
        ) : null}
        {isLoading ? (
          <Card>
            <Loading rows={12} />
          </Card>
        ) : null}
        {selected ? (
          <MonthCard
            key={selected.month}
            kind={search.kind}
            month={selected}
            onKind={(kind) => onSearchChange({ ...search, month: selected.month, kind }, 'replace')}
          />
        ) : null}
        {data && !selected ? (
          <Card>
            <Empty hint={t('reports.emptyHint', { zone: businessDays.zone() })} title={t('reports.empty')} />
          </Card>
        ) : null}
        <PreferencesCard />
      </div>
      <DownloadDialog months={months ?? []} onClose={() => setDownloadOpen(false)} open={isDownloadOpen} />
    </Page>
  );
};

/** Latest first, as the server sends them; the reports of each month ordered by kind. */
const monthsOf = (reports: readonly Report[]): Month[] =>
  [...new Set(reports.map(({ month }) => month))].map((month) => ({
    month,
    reports: reportKinds.flatMap((kind) => reports.filter((one) => one.month === month && one.kind === kind)),
  }));
