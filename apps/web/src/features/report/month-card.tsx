import { DownloadOutlined } from '@ant-design/icons';
import { type Report, type ReportKind, reportPictures } from '@simcube/contract/report';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Card } from '../../ui/card/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Tabs } from '../../ui/tabs/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { saveReport, saveReports, useMonthReports } from './api.ts';
import { Bars } from './bars.tsx';
import type { Month } from './months-card.tsx';
import { PreviewTable, toPreview } from './preview-table.tsx';
import { ReportFigures } from './report-figures.tsx';
import styles from './reports.module.css';
import { useDownload } from './use-download.ts';

interface MonthCardProps {
  month: Month;
  kind: ReportKind | undefined;
  onKind: (kind: ReportKind) => void;
}

/** The reports of a month, one of them open. */
export const MonthCard = ({ month: { month, reports }, kind, onKind }: MonthCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { isBusy, run } = useDownload();
  const openReport = reports.find((one) => one.kind === kind) ?? reports[0];
  if (!openReport) return null;
  const withoutShare = simsWithoutShare(openReport);
  return (
    <Card
      aside={
        <span className={styles['createdAt']}>
          {t('reports.madeAt', { time: format.dateTime(openReport.made_at), zone: openReport.time_zone })}
        </span>
      }
      className={styles['month']}
      extra={
        <Button
          icon={<DownloadOutlined aria-hidden="true" />}
          loading={isBusy}
          onClick={() => run(() => saveReports([month]))}
        >
          {t('reports.all', { count: reports.length })}
        </Button>
      }
      title={<span className={styles['monthName']}>{calendar.longMonth(month)}</span>}
    >
      <Tabs
        onChange={onKind}
        tabs={reports.map((one) => ({ name: one.kind, label: t(`report.kinds.${one.kind}`) }))}
        value={openReport.kind}
      >
        <div className={styles['header']}>
          <ReportFigures previousMonth={previousMonthOf(month)} report={openReport} />
          <Bars
            label={t(`report.pictures.${reportPictures[openReport.kind]}`)}
            note={
              withoutShare > 0
                ? t('reports.withoutShare', { count: withoutShare, shown: format.count(withoutShare) })
                : undefined
            }
            series={openReport.series}
          />
        </div>
        <PreviewRows report={openReport} />
      </Tabs>
    </Card>
  );
};

/** SIMs without a quota have no share of it: the chart leaves out those that were used. */
const simsWithoutShare = ({ kind, figures, series }: Report): number => {
  if (kind !== 'sim-usage') return 0;
  const sims = figures.find(({ figure }) => figure === 'sims')?.value ?? 0;
  return sims - series.bars.reduce((sum, { value }) => sum + value, 0);
};

const previousMonthOf = (month: string): string => {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 7);
};

/** The first rows of a report, and a link to download all of them. */
const PreviewRows = ({ report }: { report: Report }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { isBusy, run } = useDownload();
  const { data, error, refetch } = useMonthReports(report.month);
  const fullPreview = data?.data.find(({ kind }) => kind === report.kind)?.preview;
  const preview = fullPreview && toPreview(report.kind, fullPreview);
  return (
    <>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data || error ? null : <Loading rows={8} />}
      {preview ? <PreviewTable label={t(`report.kinds.${report.kind}`)} preview={preview} /> : null}
      {data && report.rows === 0 ? <p className={styles['note']}>{t('reports.noRows')}</p> : null}
      <footer className={styles['footer']}>
        <span className={styles['rowCount']}>
          {preview
            ? `${t('reports.rows', {
                count: report.rows,
                shown: format.count(preview.rows.length),
                all: format.count(report.rows),
              })} · ${t('reports.columns', { shown: preview.columns.length, count: fullPreview.columns.length })}`
            : null}
        </span>
        {report.files.map(({ format: kind, bytes }) => (
          <Button
            disabled={isBusy}
            icon={<DownloadOutlined aria-hidden="true" />}
            key={kind}
            onClick={() => run(() => saveReport(report, kind))}
            title={format.bytes(bytes).text}
          >
            {t(`kit.export.${kind}`)}
          </Button>
        ))}
      </footer>
    </>
  );
};
