import { limits } from '@simcube/contract';
import { type Report, reportKinds } from '@simcube/contract/report';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { Card } from '../../ui/card/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Page } from '../../ui/page/index.ts';
import { usePreferences, useReports } from './api.ts';
import { MonthCard } from './month-card.tsx';
import { type Month, MonthsCard } from './months-card.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import styles from './reports.module.css';
import type { ReportsSearch } from './search.ts';
import { SeveralDialog } from './several-dialog.tsx';

/** The monthly reports of the organisation: months, the reports of one, and the preferences. */
export const ReportsScreen = ({ search, onSearchChange, hrefOf }: SearchScreenProps<ReportsSearch>) => {
  const { t } = useTranslation();
  const [several, setSeveral] = useState(false);
  const { data, error, refetch } = useReports();
  const months = data && monthsOf(data.data);
  const { data: preferences } = usePreferences();
  const coming = preferences && preferences.data.kinds.length > 0 ? preferences.data.next : undefined;
  const isLoading = !data && !error;
  const hasMonths = isLoading || coming !== undefined || (months ?? []).length > 0;
  const shown = months?.find(({ month }) => month === search.month) ?? months?.[0];
  return (
    <Page
      actions={
        <Button disabled={!shown} onClick={() => setSeveral(true)}>
          {t('reports.several.open')}
        </Button>
      }
      facts={t('reports.facts', { months: limits.reports.months })}
      title={t('report.one')}
    >
      <div className={styles['screen']} data-months={hasMonths}>
        {hasMonths ? (
          <MonthsCard
            coming={coming}
            hrefOf={(month) => hrefOf({ ...search, month })}
            isLoading={isLoading}
            months={months ?? []}
            shown={shown?.month}
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
        {shown ? (
          <MonthCard
            key={shown.month}
            kind={search.kind}
            month={shown}
            onKind={(kind) => onSearchChange({ ...search, month: shown.month, kind }, 'replace')}
          />
        ) : null}
        {data && !shown ? (
          <Card>
            <Empty hint={t('reports.emptyHint')} title={t('reports.empty')} />
          </Card>
        ) : null}
        <PreferencesCard />
      </div>
      <SeveralDialog months={months ?? []} onClose={() => setSeveral(false)} open={several} />
    </Page>
  );
};

/** Latest first, as the server sends them; the reports of each month ordered by kind. */
const monthsOf = (reports: readonly Report[]): Month[] =>
  [...new Set(reports.map(({ month }) => month))].map((month) => ({
    month,
    reports: reportKinds.flatMap((kind) => reports.filter((one) => one.month === month && one.kind === kind)),
  }));
